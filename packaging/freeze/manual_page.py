"""The manual page and bash's completion, made of the commands' own help so that they never say anything else."""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from gpf_desktop import __version__, cli
from gpf_desktop.cli.command import Command, Parser, codes_in_words, parser_of

NAME = "gpf-desktop"
_BASH = """\
# Completes the commands of gpf-desktop, their options, and files.
_gpf_desktop() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands} --help --version"
    elif [[ $current == -* ]]; then
        case ${{COMP_WORDS[1]}} in
{options}
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ $current != -* ]]; then
        compopt -o filenames 2>/dev/null
        local file
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
    fi
}}
complete -F _gpf_desktop gpf-desktop
"""


def write(folder: Path) -> None:
    """Put `gpf-desktop.1` and `gpf-desktop.bash` into *folder*."""
    folder.mkdir(parents=True)
    (folder / f"{NAME}.1").write_text(manual_page(), "utf-8")
    (folder / f"{NAME}.bash").write_text(bash_completion(), "utf-8")


def commands() -> dict[str, tuple[Command, Parser]]:
    """By name each command and what reads its arguments."""
    return {each.name: (each, parser_of(each, ())) for each in cli.commands_of(lambda _: 0)}


def manual_page() -> str:
    """In the language of man(7)."""
    day = time.strftime("%Y-%m-%d", time.gmtime())
    lines = [
        f'.TH GPF\\-DESKTOP 1 "{day}" "GPF Desktop {__version__}" "User Commands"',
        ".SH NAME",
        "gpf\\-desktop \\- find out whether a language model tells the same thing differently to different people",
        ".SH SYNOPSIS",
        ".B gpf\\-desktop",
        "[\\fIFILE\\fR]",
        ".br",
        ".B gpf\\-desktop",
        "\\fICOMMAND\\fR \\fIARGUMENT\\fR ...",
        ".SH DESCRIPTION",
        "Without a command the window opens, on FILE where one is named: an audit, an artifact or a table of answers.",
        "With one, the same engine works without a window. Results go to standard output, trouble to standard error.",
        ".SH COMMANDS",
    ]
    for command, parser in commands().values():
        lines += [f".SS {_plain(command.name)}", _plain(command.gist[:1].upper() + command.gist[1:]) + "."]
        lines += [".PP", _plain(" ".join(parser.format_usage().split()))]
        lines += [".PP", _plain(command.does)]
        for action in _arguments(parser):
            lines += [".TP", f"\\fB{_plain(_title(action))}\\fR", _plain(action.help or "")]
    lines += [".SH EXIT STATUS", ".nf", *(_plain(line) for line in codes_in_words({}).splitlines()[1:]), ".fi"]
    lines += [".PP", _plain("What they mean of one command: gpf-desktop COMMAND --help")]
    lines += [".SH SEE ALSO", _plain("The window's own help, under Help.")]
    return "\n".join(line for line in lines if line) + "\n"


def bash_completion() -> str:
    """Sourced by bash."""
    options = [
        f'            {name}) words="{" ".join([*_options(parser), "--help"])}" ;;'
        for name, (_command, parser) in commands().items()
    ]
    return _BASH.format(commands=" ".join(commands()), options="\n".join(options))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if action.help is not argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):
            yield action


def _options(parser: argparse.ArgumentParser) -> list[str]:
    names = [name for action in _arguments(parser) for name in action.option_strings]
    return [name for name in names if name.startswith("--")] + [name for name in names if not name.startswith("--")]


def _title(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar or ())
    value = (
        ""
        if action.nargs == 0
        else metavar or (action.dest.upper() if not action.choices else "|".join(action.choices))
    )
    return f"{', '.join(action.option_strings)} {value}".strip() if action.option_strings else value


def _plain(text: str) -> str:
    """*text* with what man(7) would read as a request taken for itself."""
    escaped = " ".join(text.split(" ")).replace("\\", "\\e").replace("-", "\\-").replace("%%", "%")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in escaped.split("\n"))
