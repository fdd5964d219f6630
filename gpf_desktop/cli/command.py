"""A command, and the parser that reads its arguments."""

import argparse
import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any, NoReturn

from gpf_desktop.cli.exits import BAD_INPUT, BROKEN, COULD_NOT_RUN, DONE
from gpf_desktop.cli.targets import Output, check_targets, file_output, named, output
from gpf_desktop.cli.verbose import VERBOSE
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.money import MOST_DOLLARS
from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One word after `gpf-desktop`."""

    name: str
    gist: str
    """Its line in the list of commands."""
    does: str
    """What it does, in some sentences."""
    codes: Mapping[int, str] = field(default_factory=dict)
    """What its exit codes mean beyond what they mean of every command."""
    json: str = ""
    """What `--json` prints, where it is not a summary."""
    options: Callable[["Parser"], object] = lambda _parser: None
    """Declares its arguments, but for `--json`, `--verbose` and `--cluster`, which are declared here."""
    computes: bool = False
    """It scores or tests, here or on a cluster; it gets `--cluster`."""
    run: Callable[[argparse.Namespace], int]
    """Returns the exit code. Raises `GpfError`."""
    further: Callable[["Parser", Sequence[str]], object] = lambda _parser, _typed: None
    """Declares arguments that depend on what was *typed*. Raises `GpfError`."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments as `UserError`, and names the option that was meant."""

    def __init__(self, **of_parsers: Any) -> None:
        super().__init__(**of_parsers)
        self.outputs: dict[str, Output] = {}
        """What is written, by the name of its argument."""
        self.read_in_folders: frozenset[str] | None = None
        """Endings of the files that are read of a folder that is typed; None: all of them."""
        # Of an empty name `Path` makes the current folder.
        self.register("type", Path, named)

    def writes_file(self, *names: str, **of_arguments: Any) -> None:
        """Declare an argument that names a file to be written; the command gets --force with the first of them."""
        self._writes(Output.FILE, names, of_arguments)

    def writes_folder(self, *names: str, **of_arguments: Any) -> None:
        """Declare an argument that names a folder which files are written into."""
        self._writes(Output.FOLDER, names, of_arguments)

    def makes_audits_in(self, *names: str, **of_arguments: Any) -> None:
        """Declare an argument that names a folder in which audits are made, none over a file that is there."""
        self._writes(Output.AUDITS, names, of_arguments)

    def makes_audit(self, *names: str, **of_arguments: Any) -> None:
        """Declare an argument that names an audit which is made and may not be there."""
        self._writes(Output.NEW_AUDIT, names, of_arguments)

    def keeps_audit(self, *names: str, **of_arguments: Any) -> None:
        """Declare an argument that names an audit which is gone on with, and made where it is not there."""
        self._writes(Output.OWN_AUDIT, names, of_arguments)

    def _writes(self, kind: Output, names: Sequence[str], of_arguments: Mapping[str, Any]) -> None:
        read = output if kind in {Output.FOLDER, Output.AUDITS} else file_output
        self.outputs[self.add_argument(*names, type=read, **of_arguments).dest] = kind

    def offer_force(self) -> None:
        """Add --force where files are written."""
        if {Output.FILE, Output.FOLDER} & set(self.outputs.values()):
            words = tr("replace files that are there; audits and what is read never")
            self.add_argument("--force", action="store_true", help=words)

    def understood(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The values of *arguments*. Raises `UserError`; `StorageError` for a place where nothing can be written."""
        # argparse would complain of what is missing first, and not of the option that was spelt wrong.
        known = [option for action in self._actions for option in action.option_strings]
        options = arguments[: arguments.index("--")] if "--" in arguments else arguments
        for argument in options:
            name = argument.partition("=")[0]
            if name.startswith("--") and name not in known:
                raise unknown_option(name, known, f"{self.prog} --help")
        given = self.parse_args(arguments)
        check_targets(self.outputs, given, self.read_in_folders)
        return given

    def error(self, message: str) -> NoReturn:
        sentence = tr("{message}.", message=message[:1].upper() + message[1:])
        raise UserError(sentence, tr("Help: {prog} --help", prog=self.prog))


def parser_of(command: Command, typed: Sequence[str]) -> Parser:
    """Reads the arguments after the name of *command*, which are those that were *typed*."""
    parser = Parser(
        prog=f"gpf-desktop {command.name}",
        description=command.does,
        epilog=codes_in_words(command.codes),
        formatter_class=_Layout,
        allow_abbrev=False,
    )
    command.options(parser)
    as_json = command.json or tr("print the summary as JSON, for programs")
    parser.add_argument("--json", action="store_true", help=as_json)
    # Taken out before commands are told apart; here so that help lists it.
    parser.add_argument(VERBOSE, action="store_true", help=tr("say on standard error what is done, without keys"))
    if command.computes:
        where = tr("compute on the workers of a Dask cluster; keys are never sent there")
        parser.add_argument("--cluster", type=_cluster, metavar="tcp://HOST:PORT|FILE.json", help=where)
    command.further(parser, typed)
    parser.offer_force()
    return parser


def unknown_option(name: str, known: Iterable[str], help_with: str) -> UserError:
    near = difflib.get_close_matches(name, list(known), n=1)
    remedy = tr("Did you mean {name}?", name=near[0]) if near else tr("Help: {command}", command=help_with)
    return UserError(tr("There is no option {name}.", name=name), remedy)


def codes_in_words(codes: Mapping[int, str]) -> str:
    """The exit codes of a command, one a line."""
    meanings = {
        DONE: tr("done"),
        BAD_INPUT: tr("bad input: what was typed, or a file that was named, cannot be used"),
        COULD_NOT_RUN: tr("could not run: the disk, the network or a server"),
        BROKEN: tr("an error of the program itself; a file that is named holds the details"),
        **codes,
    }
    return "\n".join([tr("exit codes:"), *(f"  {code:>2}  {words}" for code, words in sorted(meanings.items()))])


def _cluster(text: str) -> str:
    from gpf_desktop.settings.options.cluster import why_not_cluster

    if why := why_not_cluster(text):
        raise argparse.ArgumentTypeError(why.removesuffix("."))
    return text


class _Layout(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the exit codes, and fills what a command does."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return super()._fill_text(text, width, indent)
        said = " ".join(text.split())
        # "gpf-desktop" is one word.
        return fill(said, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def at_least(least: int) -> Callable[[str], int]:
    """Reads a whole number from *least*."""

    def read(text: str) -> int:
        # Its length too: `int` raises a plain ValueError for texts of more than 4,300 digits.
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= least):
            raise argparse.ArgumentTypeError(
                tr("“{text}” is not a whole number from {least}", text=text[:40], least=least)
            )
        return int(text)

    return read


def dollars(text: str) -> float:
    """Reads a spend cap. Raises `argparse.ArgumentTypeError`."""
    try:
        cap = float(text)
    except ValueError:
        cap = 0.0
    # Not “cap <= 0”, which NaN would pass.
    if not 0 < cap <= MOST_DOLLARS:
        raise argparse.ArgumentTypeError(tr("“{text}” is no sum of dollars above 0", text=text[:40]))
    return cap


def without(option: str, arguments: Sequence[str]) -> tuple[list[str], bool]:
    """*arguments* without *option*, and whether it was there; behind a ``--`` it is a file's name."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [argument for argument in arguments[:end] if argument != option]
    return [*kept, *arguments[end:]], len(kept) < end
