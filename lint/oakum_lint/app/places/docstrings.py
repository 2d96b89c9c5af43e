"""Examples in the docstrings of modules, checked beside them (`documents`).

The examples of `a.py` are analysed as a file `a__examples.py` beside it, which is on no disk: it
imports the module, so that what the examples call is traced there too. What is found in it is
reported in `a.py`, whose lines and columns it has.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from oakum.values.records import replace
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.places.moving import move_finding
from oakum_lint.text.finding import Finding, Location
from oakum_lint.text.notebook.docstrings import EXAMPLES, examples_of
from oakum_lint.text.source import Unreadable, read_source

_END = "__examples.py"


def programs_of(files: Sequence[str]) -> dict[Path, str]:
    """The programs of the examples in modules, by the paths that they are analysed under."""
    found: dict[Path, str] = {}
    for file in files:
        path = Path(file)
        beside = path.with_name(path.stem + _END)
        if path.suffix != ".py" or beside.exists():
            continue
        source = read_source(path)
        if isinstance(source, Unreadable):
            continue
        is_package = (path.parent / "__init__.py").exists()
        module = "" if path.stem == "__init__" else path.stem
        program = examples_of(source.text, f".{module}" if is_package else module)
        if program:
            found[beside] = program
    return found


def name_modules(result: CheckResult, programs: dict[Path, str]) -> None:
    """Has what was found in examples name their modules. Nothing is fixed there."""
    names = {str(path): str(path).removesuffix(_END) + ".py" for path in programs}

    def moved(place: Location) -> Location:
        return replace(place, file=names.get(place.file, place.file))

    for program, module in names.items():
        if result.texts.pop(program, None) is not None and module not in result.texts:
            source = read_source(Path(module))
            if not isinstance(source, Unreadable):
                result.texts[module] = source.text
    result.findings = [_moved(each, moved, names) for each in result.findings]
    result.checked -= len(names)
    result.files = [file for file in result.files if file not in names]


def _moved(
    finding: Finding, moved: Callable[[Location], Location], names: dict[str, str]
) -> Finding:
    related = tuple(
        each
        for each in finding.related
        if f"`{EXAMPLES}" not in each.message  # a function that the reader does not see
    )
    fix = None if finding.location.file in names else finding.fix
    return move_finding(replace(finding, related=related, fix=fix), moved)
