"""Facts about libraries and wordings stand in tables: `models/` and `text/`, not in what evaluates.

Each list of exceptions may only become shorter.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2] / "lint" / "oakum_lint"
DECLARING = ("models", "text")

READS_TEXT = {
    "app/globs.py": 4,  # patterns of file names
    "app/report/frame.py": 1,
    "app/report/wording.py": 1,
    "app/suppress.py": 4,
    "domain/assumptions.py": 1,  # patterns of the settings
    "fixes/arrays/updates.py": 1,
    "fixes/editing/scopes.py": 1,
    "fixes/editing/spelling.py": 1,
    "fixes/functions/hashing.py": 2,
    "fixes/functions/jitted_methods.py": 1,
    "fixes/functions/prints.py": 1,
    "fixes/site.py": 2,
}
"""Modules that use regular expressions elsewhere, and how often."""


def evaluating() -> Iterator[tuple[str, ast.Module]]:
    """The modules that declare nothing, by their paths."""
    for file in sorted(ROOT.rglob("*.py")):
        path = file.relative_to(ROOT)
        if path.parts[0] not in DECLARING:
            yield path.as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def test_regular_expressions_stand_in_tables() -> None:
    """What a wording means is said once, where it can be read with all others."""
    found = Counter(
        path
        for path, tree in evaluating()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith("re.")
        and ast.unparse(node.func) != "re.escape"
    )
    assert found == READS_TEXT
