"""The command `oakum`: reads the command line and hands over to one subcommand.

Exit status: 0 no proved finding, 1 findings, 2 a mistake on the command line or in the
configuration, a file or output that cannot be read or written, not all was analysed, or a failure
of oakum itself; 130, 141 and 143 where SIGINT, a reader that leaves, or SIGTERM ends it.

Invariants:
- Importing this module imports little: a file without tracer code is answered in the time that
  Python needs to start, and some milliseconds more. A test lists what may be loaded.
"""

import argparse
import gc
import os
import sys
from collections.abc import Sequence

from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import (
    FAILED,
    INTERRUPTED,
    READER_LEFT,
    TERMINATED,
    OutputError,
    TerminatedError,
)
from oakum_lint.app.settings import ASSUMPTIONS, COLOURS, CONFIDENCES, FORMATS, SEVERITIES
from oakum_lint.domain.limits import GC_THRESHOLD, SECONDS_PER_ROOT

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from typing import NoReturn, TextIO


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status."""
    try:
        return _run(_parsed(arguments))
    except ConfigurationError as error:
        return _end(FAILED, str(error))
    except OutputError as error:
        return _end(FAILED, f"the output cannot be written: {error}")
    except BrokenPipeError:
        return READER_LEFT
    except OSError as error:  # of what argparse writes
        return _end(FAILED, f"the output cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        return _end(INTERRUPTED, "interrupted")
    except TerminatedError:
        return _end(TERMINATED, "terminated")
    except Exception as error:
        from oakum_lint.text.failures import in_words

        return _end(FAILED, in_words("this command", error))


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line; a command that does not know one of them says so."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in _COMMANDS:
        # The parsers of all commands take 8 ms of a start.
        command = _parser_of(words[0])
        options, unknown = command.parse_known_args(words[1:])
        options.command = words[0]
    else:
        parser, commands = _parser()
        options, unknown = parser.parse_known_args(words)
        command = commands[options.command]
    if unknown:
        from oakum_lint.text.names import OPTION

        meant = _closest(unknown[0].partition("=")[0], OPTION.findall(command.usage_text))
        command.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
    return options


def _end(status: int, message: str) -> int:
    try:
        from oakum_lint.text.lines import one_line

        print(f"oakum: {one_line(message)}", file=sys.stderr)
    except OSError:  # nobody listens
        return status
    return status


def command() -> None:
    """The entry point of the installed command: `main`, and the end of the process."""
    _take_descriptors()
    if "lsp" not in sys.argv:  # which goes on after an analysis
        # A look at all that an analysis leaves, when it is over, took 0.9 of 12 seconds.
        gc.set_threshold(GC_THRESHOLD)
    try:
        status = main()
    except SystemExit as end:  # argparse has written help, a version or a complaint
        status = end.code if isinstance(end.code, int) else FAILED
    except KeyboardInterrupt:  # a second one
        status = INTERRUPTED
    status = _flush(sys.stdout, status)
    _flush(sys.stderr, status)
    # Taking a large heap of syntax trees apart object by object can take longer than a small run.
    os._exit(status)


def _take_descriptors() -> None:
    """Takes the places of standard streams that are closed, so that no file is opened in them, and
    nothing that is said to standard error goes to standard output.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # Python has no stream where the descriptor was closed when it started.
    stderr: TextIO | None = sys.stderr
    if stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (to the end of the process)


def _flush(stream: "TextIO | None", status: int) -> int:
    """Writes what a stream still holds; the exit status, which says if that is not possible."""
    try:
        if stream is not None:
            stream.flush()
    except BrokenPipeError:
        return READER_LEFT
    except (OSError, ValueError) as error:  # full, or closed by the server at its end
        if isinstance(error, OSError) and stream is sys.stdout:
            return _end(FAILED, f"the output cannot be written: {error.strerror}")
    return status


def _run(options: argparse.Namespace) -> int:
    match options.command:
        case "check":
            from oakum_lint.app.commands.check import run
        case "clean":
            from oakum_lint.app.commands.clean import run
        case "init":
            from oakum_lint.app.commands.init import run
        case "lsp":
            from oakum_lint.app.commands.lsp import run
        case "merge":
            from oakum_lint.app.commands.merge import run
        case "run":
            from oakum_lint.app.commands.run import run
        case _:
            return _show(options)
    return run(options)


def _show(options: argparse.Namespace) -> int:
    """Runs one of the commands about oakum itself."""
    match options.command:
        case "completion":
            from oakum_lint.app.commands.completion import write

            return write(options.shell, _parser()[1])
        case "explain":
            from oakum_lint.app.commands.explain import run
        case "debug":
            from oakum_lint.app.commands.debug import run
        case "new-rule":
            from oakum_lint.app.commands.new_rule import run
        case "report":
            from oakum_lint.app.commands.report import run
        case _:
            from oakum_lint.app.commands.rules import run
    return run(options)


class _Version(argparse.Action):
    """Prints the version; reads it only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from oakum.version import __version__

        print(f"oakum {__version__}")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """A parser of arguments that says which of its choices was probably meant."""

    @property
    def usage_text(self) -> str:
        """The line of usage, which names all options."""
        return self.format_usage()

    def error(self, message: str) -> "NoReturn":
        """Ends the command with a complaint about its arguments."""
        from oakum_lint.text.names import CHOICE_REFUSED, HYPHENATED

        bad = CHOICE_REFUSED.search(message)
        meant = "" if bad is None else _closest(bad[1], HYPHENATED.findall(bad[2]))
        super().error(message + meant)


def _closest(word: str, known: Sequence[str]) -> str:
    """The end of a sentence that says what was probably meant; "" where nothing is like it."""
    from difflib import get_close_matches

    matches = get_close_matches(word, known, n=1)
    return f"; did you mean `{matches[0]}`?" if matches else ""


class _Help(argparse.HelpFormatter):
    """Help of a fixed width: to ask the terminal, argparse imports shutil at every start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=96)


def _parser() -> tuple[_Parser, dict[str, _Parser]]:
    """The parser of the command line, and those of the commands."""
    parser = _Parser(
        prog="oakum",
        formatter_class=_Help,
        description="Finds JAX tracer misuse before the program runs.",
        epilog="Exit status: 0 no proved finding, 1 findings, 2 usage or tool error, a file or "
        "output that cannot be read or written, or not all was analysed (OAK003); 130 interrupted, "
        "141 the reader of the output has left, 143 terminated.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    parsers: dict[str, _Parser] = {}
    for name, (text, add) in _COMMANDS.items():
        made = parsers[name] = commands.add_parser(
            name, help=text, description=text, formatter_class=_Help
        )
        add(made)
    return parser, parsers


def _parser_of(command: str) -> _Parser:
    """The parser of one command, as `_parser` makes it."""
    text, add = _COMMANDS[command]
    parser = _Parser(prog=f"oakum {command}", description=text, formatter_class=_Help)
    add(parser)
    return parser


def _add_clean(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", help="a path in the project (default: .)")


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell it is for")


def _add_report(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("place", metavar="FILE:LINE", help="where the finding is")
    add("--code", metavar="CODE", help="its code, where there are several")
    add(
        "--steps",
        type=int,
        metavar="N",
        default=1000,
        help="how often a smaller program is analysed at most (default: 1000)",
    )


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="a code or its name: OAK201, tracer-in-branch")


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--markdown", action="store_true", help="print all pages, as in rules.md")


def _add_debug(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=("tree", "values", "events"),
        help="the compact tree, what expressions are evaluated to, or what rules are asked about",
    )
    parser.add_argument("place", metavar="FILE:LINE", help="the line of a statement")


def _add_new_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="one more than the last of its group")
    parser.add_argument("name", metavar="NAME", help="it reads after 'this code has a'")


def _add_lsp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="what it does anyway; editors say it")
    parser.add_argument(
        "--max-seconds",
        type=float,
        metavar="SECONDS",
        default=10.0,
        help="give the check of a document up after so much CPU time (default: 10)",
    )


def _add_init(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "show what a project needs to use oakum: a table in pyproject.toml and a hook of "
        "pre-commit; nothing that is there is changed"
    )
    add = parser.add_argument
    add("path", nargs="?", default=".", help="the root of the project (default: .)")
    add("--github", action="store_true", help="add a workflow of GitHub")
    add("--gitlab", action="store_true", help="add a job of GitLab")
    add("--write", action="store_true", help="write what is shown without it")
    add(
        "--requirement",
        metavar="TEXT",
        help="what CI installs oakum from (default: the URL that this one was installed from)",
    )


def _add_merge(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "shards",
        nargs="+",
        metavar="FILE",
        help="what `oakum check --shard I/N --output-file FILE` has written, for each I",
    )
    add("--output-format", choices=FORMATS, help="how findings are printed (default: the check's)")
    add("--output-file", metavar="FILE", help="write the report to a file")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "run a program with all checks on: what they find is reported on standard "
        "error when it ends, beside what is found in its source"
    )
    parser.epilog = "Exit status: that of the program; 1 if it is 0 and the checks found something."
    add = parser.add_argument
    add("-m", dest="module", action="store_true", help="PROGRAM is a module")
    add(
        "--engine",
        choices=("jax", "oakum"),
        default="jax",
        help="what `import jax` is (default: jax)",
    )
    add(
        "--checks",
        metavar="NAMES",
        help="of leaks, keys, nans, infs, retraces, impurity and transfers (default: all)",
    )
    add(
        "--no-record",
        dest="record",
        action="store_false",
        help="keep nothing of what functions were called with, which editors show in hovers",
    )
    add("--output-format", choices=FORMATS, help="how findings are printed (default: full)")
    add("--output-file", metavar="FILE", help="write the report to a file")
    add("--config", metavar="FILE", help="the pyproject.toml to take [tool.oakum] from")
    add("--isolated", action="store_true", help="take no configuration from files")
    add("program", metavar="PROGRAM", help="a script")
    add(
        "arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="what the program is passed"
    )


def _add_check(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "paths", nargs="*", default=["."], metavar="PATH", help="files, directories, or - for stdin"
    )
    add("--fix", action="store_true", help="fix what has a safe fix, and report the rest")
    add("--unsafe-fixes", action="store_true", help="count unsafe fixes as fixes too")
    add("--diff", action="store_true", help="show what --fix would write, and write nothing")
    add(
        "--add-ignore",
        action="store_true",
        help="write a comment beside each finding that suppresses it",
    )
    add("--reason", metavar="TEXT", default="", help="what these comments give as their reason")
    add("--baseline", metavar="FILE", help="do not report the findings that a file knows")
    add(
        "--write-baseline",
        action="store_true",
        help="write the findings into the baseline (default: oakum-baseline.json)",
    )
    add("--output-format", choices=FORMATS, help="how findings are printed (default: full)")
    add("--output-file", metavar="FILE", help="write the report to a file")
    add("--color", choices=COLOURS, default="auto", help="when to use colours (default: auto)")
    add("--select", action="append", metavar="CODES", help="codes, names or beginnings of codes")
    add("--extend-select", action="append", metavar="CODES", help="codes beside the selected ones")
    add("--ignore", action="append", metavar="CODES", help="codes to leave out")
    add(
        "--min-confidence",
        choices=CONFIDENCES,
        help="the least confidence to report and to fail on (default: report likely findings, fail "
        "on proved ones)",
    )
    add(
        "--min-severity",
        choices=SEVERITIES,
        help="the least severity to report (default: warning, without what may be meant)",
    )
    add(
        "--explain-confidence",
        action="store_true",
        help="say of each likely finding which links of its proof are weak",
    )
    add(
        "--all-places",
        action="store_true",
        help="show each place of a cause that is found at more than one",
    )
    add(
        "--assume-traced",
        choices=ASSUMPTIONS,
        help="for libraries: `annotated` takes what is annotated as an array as traced (default: "
        "none)",
    )
    add(
        "--max-seconds-per-root",
        type=float,
        metavar="SECONDS",
        help="processor time that the analysis of one function may take (default: "
        f"{SECONDS_PER_ROOT:g}); what takes longer is reported as OAK003",
    )
    add(
        "--config",
        action="append",
        metavar="FILE|KEY=VALUE",
        help="the pyproject.toml to take [tool.oakum] from, or one of its settings in TOML",
    )
    add("--isolated", action="store_true", help="take no configuration from files")
    add(
        "--project",
        metavar="DIR",
        help="the root of the project, whose files are looked at for what traces the checked ones "
        "(default: the repository, or where the nearest pyproject.toml or setup file is)",
    )
    add(
        "-j",
        "--jobs",
        metavar="N",
        default="1",
        help="processes that share the work, or `auto` for one on each processor (default: 1)",
    )
    add(
        "--shard",
        metavar="I/N",
        default="",
        help="analyse the I-th of N shares of the files, for `oakum merge`, which reports",
    )
    add("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")
    add("--no-cache", action="store_true", help="keep no result, and take none that was kept")
    add(
        "--documents",
        action="store_true",
        help="check Python in Markdown, reStructuredText and examples of docstrings, too",
    )
    add("--force-exclude", action="store_true", help="exclude named files too (for pre-commit)")
    add("--stdin-filename", metavar="FILE", help="the name of what is read from stdin")
    add("--statistics", action="store_true", help="count the findings of each code")
    add("--show-files", action="store_true", help="list the files that would be checked")
    add("--show-settings", action="store_true", help="show the settings of the run")
    add("--exit-zero", action="store_true", help="exit with 0 though there are findings")
    add(
        "--exit-non-zero-on-fix",
        action="store_true",
        help="exit with 1 if anything was fixed, though nothing is left",
    )


_COMMANDS = {
    "check": ("check files and directories", _add_check),
    "clean": ("remove what was kept of earlier runs", _add_clean),
    "completion": ("print what a shell completes commands and options by", _add_completion),
    "init": ("set oakum up in a project", _add_init),
    "merge": ("report what the shards of a check have found, as one run would", _add_merge),
    "run": ("run a program with all checks on, and report at its end", _add_run),
    "report": ("print the smallest program that has a finding, without your names", _add_report),
    "explain": ("explain a code", _add_explain),
    "rules": ("list the rules", _add_rules),
    "debug": ("show what the analysis makes of a line, for authors of rules", _add_debug),
    "new-rule": ("begin a rule in a checkout of oakum, for authors of rules", _add_new_rule),
    "lsp": ("serve an editor over standard input and output", _add_lsp),
}
"""What each command does, and what adds its arguments to a parser."""
