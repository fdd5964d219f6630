"""The command line: the same engine without a window.

    command     what a command is, and how its arguments are read
    exits       exit codes, and what is said where something went wrong
    printing    summaries on standard output
    verbose     what the engine does, on standard error
    demo, plan, run, merge, rate, score, sentences, benchmark, report, declare, reply      one command each
    diff, fetch, check, methods, prices, config, add      likewise
    watch, archive, export, tables, artifact, verify, doctor, open      likewise, in `engine.exchange`
    assign      a reading plan, its assignments, and what readers sent back

A further command is a further file, named in `commands_of`. Results go to standard output, one sentence of trouble to
standard error. Each command imports what it needs when it runs, so that `--help` is instant.
"""

import argparse
import difflib
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from gpf_desktop import __version__
from gpf_desktop.cli.command import Command, parser_of, unknown_option, without
from gpf_desktop.cli.exits import DONE, complain, stopped
from gpf_desktop.cli.verbose import VERBOSE, log_on_standard_error
from gpf_desktop.documents.targets import check_here, check_path, of_the_disk
from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.program import SAFE, enter_safe_mode
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.language import speak

ShowWindow = Callable[[Path | None], int]
"""Shows the window; on an audit where one is named; returns the exit code."""


def main(argv: Sequence[str], *, show_window: ShowWindow, show_demo: ShowWindow) -> int:
    """Do what *argv* asks for; the exit code is returned, never raised. An error of our own is raised as it is."""
    arguments, verbose = without(VERBOSE, argv)
    arguments, safe = without(SAFE, arguments)
    if safe:
        enter_safe_mode()
    speak()
    try:
        with log_on_standard_error(wanted=verbose):
            return _begin(arguments, show_window, show_demo)
    except GpfError as error:
        return complain(error)
    except KeyboardInterrupt:
        return stopped()
    except BrokenPipeError:
        # Whoever read our output has gone (`gpf-desktop fetch … | head`): not our fault, nothing to say.
        # The interpreter would flush it once more as it ends, and complain of the same pipe.
        sys.stdout = None
        return DONE
    except OSError as error:
        # The disk's or the system's, and never a slip of the program: a name that no file can have, a folder that may
        # not be read, a disk that went.
        return complain(of_the_disk(error))
    except MemoryError:
        return complain(
            UserError(tr("The memory of this computer is not enough for this."), tr("Part the input, or use another."))
        )


def _begin(arguments: list[str], show_window: ShowWindow, show_demo: ShowWindow) -> int:
    commands = {command.name: command for command in commands_of(show_demo)}
    first = arguments[0] if arguments else ""
    if first in commands:
        command = commands[first]
        # Before the question for help: some options depend on what else is typed, as on --method.
        parser = parser_of(command, arguments[1:])
        # Asked for here: argparse would leave by SystemExit, and the exit code is to be returned.
        if {"-h", "--help"} & set(_options(arguments[1:])):
            print(parser.format_help(), end="")
            return DONE
        check_here()
        understood = parser.understood(arguments[1:])
        try:
            with _cluster_of(understood):
                return command.run(understood)
        finally:
            _tell_broken()
    if first in {"-h", "--help"}:
        print(_help(commands.values()), end="")
        return DONE
    if first in {"-V", "--version"}:
        print(f"gpf-desktop {__version__}")
        return DONE
    return show_window(_audit_to_show(arguments, list(commands)))


def _cluster_of(understood: argparse.Namespace) -> AbstractContextManager[object]:
    if not getattr(understood, "cluster", None):
        return nullcontext()
    from gpf_desktop.engine.core.chosen_pool import computing_on

    return computing_on(understood.cluster)


def _tell_broken() -> None:
    """Tell what installed packages declare and the command could not use; before an error that may come of it."""
    from gpf_desktop.engine.core.catalogue import misspelt_groups
    from gpf_desktop.engine.core.plug_ins import HERE

    for error in (*HERE.broken, *misspelt_groups()):
        complain(error)


def commands_of(show_demo: ShowWindow) -> tuple[Command, ...]:
    """Every command; *show_demo* shows the window that `demo` opens."""
    from gpf_desktop.cli import (
        add,
        archive,
        artifact,
        assign,
        benchmark,
        check,
        compare,
        conclusions,
        config,
        declare,
        demo,
        diff,
        doctor,
        export,
        fetch,
        import_tables,
        merge,
        methods,
        plan,
        prices,
        rate,
        reply,
        report,
        run,
        score,
        sentences,
        tables,
        test,
        verify,
        watch,
        write,
    )
    from gpf_desktop.cli import open as opening

    exchange = (conclusions, watch, archive, export, tables, artifact, verify, doctor, opening, assign)
    asking = (
        plan,
        run,
        merge,
        score,
        test,
        compare,
        import_tables,
        rate,
        sentences,
        benchmark,
        write,
        report,
        declare,
        reply,
    )
    others = (*asking, *exchange, fetch, check, methods, diff, prices, config, add)
    return (demo.command(show_demo), *(each.command() for each in others))


def _options(arguments: Sequence[str]) -> list[str]:
    """The arguments that begin with a dash, up to a ``--``."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [argument for argument in arguments[:end] if argument.startswith("-") and argument != "-"]


def _audit_to_show(arguments: list[str], commands: list[str]) -> Path | None:
    """The file that the window is to open, where one is named. Raises `UserError` for anything else."""
    options = _options(arguments)
    unknown = unknown_option(options[0], ["--help", "--version", VERBOSE], "gpf-desktop --help") if options else None
    # Behind a command's name that was mistyped stand options that it has.
    if unknown and options[0] == arguments[0]:
        raise unknown
    named = [argument for argument in arguments if argument != "--"]
    if not named:
        return None
    check_here()
    path = Path(named[0])
    check_path(path)
    if not path.exists():
        if path.suffix:
            raise UserError(tr("There is no file {name}.", name=named[0]), tr("Check its name."))
        near = difflib.get_close_matches(named[0], commands, n=1)
        raise UserError(
            tr("There is no command or file “{name}”.", name=named[0]),
            tr("Did you mean {name}?", name=near[0]) if near else tr("Commands: {names}.", names=", ".join(commands)),
        )
    if unknown:
        raise unknown
    if len(named) > 1:
        raise UserError(
            tr("A window opens one audit, and {n} are named.", n=len(named)),
            tr("Name one, or start the program once for each."),
        )
    if path.is_dir():
        raise UserError(tr("{path} is a folder.", path=named[0]), tr("Name an audit file in it."))
    return path


def _help(commands: Collection[Command]) -> str:
    width = max(len(each.name) for each in commands)
    listed = [f"  {each.name:<{width}} {each.gist}" for each in commands]
    return "\n".join(
        [
            tr("usage: gpf-desktop [FILE]           the window; FILE: an audit, a shared file, a table of answers"),
            tr("       gpf-desktop COMMAND ...      the same engine without a window"),
            "",
            tr("See whether a language model tells the same thing differently to, or about, different people."),
            "",
            tr("commands:"),
            *listed,
            "",
            tr("What a command does, and its exit codes: gpf-desktop COMMAND --help"),
            tr("The version: gpf-desktop --version"),
            tr("What it does, line by line on standard error: --verbose, with a command or the window"),
            tr("Without installed plug-ins, with the window and keys as they come: {option}", option="--safe"),
            "",
        ]
    )
