"""Imports within packages: a function is followed into the file that a relative import names."""

from pathlib import Path
from textwrap import dedent

import pytest

from oakum_lint.app.analysis import analyse

TRAP = "def check(x):\n    if x > 0:\n        return x\n    return -x\n"
CALL = "import jax\n{imports}\n\n@jax.jit\ndef f(x):\n    return {call}(x)\n"


def traps_in(folder: Path, files: dict[str, str]) -> list[str]:
    """The files of a project in which a branch on a tracer is found."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    reports = analyse([folder / name for name in files])
    found = [finding for report in reports for finding in report.findings]
    assert {finding.code for finding in found} <= {"OAK201"}
    return [Path(f.location.file).relative_to(folder).as_posix() for f in found]


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("from .parts import check", "check"),
        ("from . import parts", "parts.check"),
        ("from . import parts as pieces", "pieces.check"),
        ("from .parts import check as test", "test"),
        ("from ..inner.parts import check", "check"),
        ("from .. import inner", "inner.parts.check"),
        ("from ..inner import parts", "parts.check"),
        ("from .. import entry", "entry"),
        ("from pkg.inner.parts import check", "check"),
        ("import pkg.inner.parts", "pkg.inner.parts.check"),
        ("import pkg.inner.parts as parts", "parts.check"),
        ("from .parts import *", "check"),
    ],
)
def test_a_function_of_a_package_is_followed(tmp_path: Path, imports: str, call: str) -> None:
    """Most projects are packages: what their modules call of each other is analysed."""
    found = traps_in(
        tmp_path,
        {
            "pkg/__init__.py": "from .inner.parts import check as entry\n",
            "pkg/inner/__init__.py": "from . import parts\n",
            "pkg/inner/parts.py": TRAP,
            "pkg/inner/step.py": CALL.format(imports=imports, call=call),
        },
    )
    assert found == ["pkg/inner/parts.py"]


def test_a_package_imports_relative_to_itself(tmp_path: Path) -> None:
    """In `__init__.py` one dot is the package, in its modules, too."""
    found = traps_in(
        tmp_path,
        {
            "pkg/__init__.py": CALL.format(imports="from .parts import check", call="check"),
            "pkg/parts.py": TRAP,
            "parts.py": "def check(x):\n    return x\n",
        },
    )
    assert found == ["pkg/parts.py"]


def test_a_module_of_another_name_is_not_taken(tmp_path: Path) -> None:
    """Two packages may have modules of one name."""
    found = traps_in(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/left/__init__.py": "",
            "pkg/left/parts.py": "def check(x):\n    return x\n",
            "pkg/right/__init__.py": "",
            "pkg/right/parts.py": TRAP,
            "pkg/left/step.py": CALL.format(imports="from .parts import check", call="check"),
            "pkg/right/step.py": CALL.format(
                imports="from ..left import parts", call="parts.check"
            ),
        },
    )
    assert found == []


FIELDS = """\
import dataclasses
from dataclasses import field as _field

import jax


def static_field():
    return _field(metadata={"static": True})


def pytree(cls):
    return jax.tree_util.register_dataclass(dataclasses.dataclass(cls))
"""
GRID = """\
import jax
{imports}


@fields.pytree
class Grid:
    data: jax.Array
    axes: int = fields.static_field()


@jax.jit
def total(grid: Grid):
    for axis in range(grid.axes):
        pass
    return {call}(grid.data.sum())


total(Grid(jax.numpy.ones(3), 1))
"""


def test_a_module_of_a_package_does_not_replace_one_of_python(tmp_path: Path) -> None:
    """`import dataclasses` in `pkg/dataclasses.py` is Python's: static fields were traced ones."""
    files = {
        "pkg/__init__.py": "",
        "pkg/dataclasses.py": FIELDS,
        "pkg/parts.py": TRAP,
    }
    imports = "from pkg import dataclasses as fields\nfrom parts import check"
    used = GRID.format(imports=imports, call="check")
    assert traps_in(tmp_path, files | {"pkg/grid.py": used}) == ["pkg/parts.py"]


def test_a_file_beside_a_script_replaces_a_module_of_python(tmp_path: Path) -> None:
    """Python looks in the folder of a script first."""
    script = CALL.format(imports="from statistics import check", call="check")
    assert traps_in(tmp_path, {"statistics.py": TRAP, "main.py": script}) == ["statistics.py"]
