"""`oakum report`: the smallest program that has a finding, without the user's names, for an issue.

The program is analysed in each of its steps, and never run.
"""

import argparse
import ast
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from oakum.version import __version__
from oakum_lint.app import runner
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.output import emit
from oakum_lint.app.config import ConfigurationError, load
from oakum_lint.app.exit_status import CLEAN
from oakum_lint.app.reduction.anonymity import anonymise
from oakum_lint.app.reduction.program import Program, Text
from oakum_lint.app.reduction.shrinking import shrink
from oakum_lint.app.settings import Settings
from oakum_lint.text.finding import Finding

_NOWHERE = Path(os.sep, "oakum-report")
"""Where the modules are said to be: nothing is written, or read, there."""


def run(options: argparse.Namespace) -> int:
    """Prints the program that `FILE:LINE` comes down to."""
    file, line = _place(options.place)
    settings = load([file])
    result = runner.check_paths([file], settings)
    finding = _chosen(result, file, line, options)
    texts = _modules(finding, result)
    kind = _kind(finding)

    def holds(program: Text) -> bool:
        return any(_kind(each) == kind for each in _findings(program, settings))

    try:
        program = Program(texts, holds, options.steps)
        if not program.holds():
            raise ConfigurationError(
                f"{options.place}: the finding depends on more than {', '.join(sorted(texts))}; "
                "copy the program into one file, and report that"
            )
        shrink(program)
        anonymise(program)
    except (SyntaxError, RecursionError) as error:
        raise ConfigurationError(
            f"{options.place}: this Python cannot take the program apart: {type(error).__name__}"
        ) from None
    emit(_report(program.texts(), settings, kind))
    if program.is_over:
        print("oakum: note: it may become smaller still: --steps", file=sys.stderr)
    return CLEAN


def _place(stated: str) -> tuple[str, int]:
    file, _, line = stated.rpartition(":")
    if not file or not line.isdecimal():
        raise ConfigurationError(f"`{stated}` is not of the form FILE:LINE")
    if not os.path.isfile(file):
        raise ConfigurationError(f"no such file: {file}")
    return file, int(line)


def _chosen(result: CheckResult, file: str, line: int, options: argparse.Namespace) -> Finding:
    here = [
        each
        for each in result.findings
        if os.path.samefile(each.location.file, file)
        and each.location.line <= line <= each.location.end_line
        and options.code in (None, each.code, each.name)
    ]
    if not here:
        raise ConfigurationError(f"{options.place}: there is no such finding")
    return here[0]


def _modules(finding: Finding, result: CheckResult) -> dict[str, str]:
    """The files that a finding names, as modules that lie side by side."""
    places = [finding.location, *(each.location for each in (*finding.related, *finding.weak))]
    files = [*dict.fromkeys(os.path.abspath(place.file) for place in places)]
    names = {file: f"m{number}" for number, file in enumerate(files, 1)}
    texts: dict[str, str] = {}
    for file, name in names.items():
        text = result.texts.get(os.path.relpath(file))
        tree = ast.parse(text if text is not None else Path(file).read_bytes())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                found = _imported(node, file, names)
                if found is not None:
                    node.module, node.level = found, 0
        texts[name] = ast.unparse(tree)
    return texts


def _imported(node: ast.ImportFrom, file: str, names: Mapping[str, str]) -> str | None:
    """Which of the files an import takes names from."""
    parts = (node.module or "").split(".")
    if node.level:
        folder = Path(file).parents[node.level - 1]
        return names.get(str(folder.joinpath(*parts).with_suffix(".py")))
    for each, name in names.items():
        if Path(each).with_suffix("").parts[-len(parts) :] == tuple(parts):
            return name
    return None


def _findings(program: Text, settings: Settings) -> Sequence[Finding]:
    overlay = {_NOWHERE / f"{name}.py": text for name, text in program.items()}
    return runner.check_files([str(path) for path in overlay], settings, overlay).findings


def _kind(finding: Finding) -> tuple[str, str, str]:
    """What has to stay: the code, how sure it is, and the headline without names."""
    words = " ".join(finding.message.split("`")[::2])
    return finding.code, finding.confidence.value, words


def _report(texts: Text, settings: Settings, kind: tuple[str, str, str]) -> str:
    lines: list[str] = []
    left = [each for each in _findings(texts, settings) if _kind(each) == kind]
    for each in left[:1]:
        place = f"{Path(each.location.file).name}:{each.location.line}"
        lines.append(f"# oakum {__version__}: {place}: {each.code} {each.message}")
    for name, text in texts.items():
        lines += [f"# {name}.py", text.rstrip()]
    return "\n".join((*lines, ""))
