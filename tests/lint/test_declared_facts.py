"""Facts about libraries and wordings stand in tables: `models/` and `text/`, not in what evaluates.

Each list of exceptions may only become shorter.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
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
    "fixes/editing/spelling.py": 1,
    "fixes/functions/hashing.py": 2,
    "fixes/functions/jitted_methods.py": 1,
    "fixes/functions/prints.py": 1,
    "fixes/site.py": 2,
}
"""Modules that use regular expressions elsewhere, and how often."""


@cache
def evaluating() -> tuple[tuple[str, ast.Module], ...]:
    """The modules that declare nothing, by their paths."""
    files = ((file.relative_to(ROOT), file) for file in sorted(ROOT.rglob("*.py")))
    return tuple(
        (path.as_posix(), ast.parse(file.read_text(encoding="utf-8")))
        for path, file in files
        if path.parts[0] not in DECLARING
    )


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


LIBRARIES = """
absl abc builtins chex collections contextlib copy dataclasses enum equinox flax functools haiku
itertools jax jaxlib jaxtyping lax logging math nn numbers numpy numpyro oakum operator optax random
scipy sys time timeit tqdm tree_util types typing typing_extensions warnings
""".split()
DOTTED_NAME = re.compile(rf"(?:{'|'.join(LIBRARIES)})\.[\w.]*")

NAMES_LIBRARIES = {
    "calls.py": 1,
    "domain/values.py": 1,
    "fixes/arrays/conversions.py": 4,
    "fixes/arrays/dynamic_slices.py": 4,
    "fixes/arrays/masked_slices.py": 3,
    "fixes/arrays/masks.py": 5,
    "fixes/arrays/nan_guards.py": 6,
    "fixes/arrays/reductions.py": 2,
    "fixes/arrays/selections.py": 3,
    "fixes/arrays/sizes.py": 2,
    "fixes/arrays/updates.py": 4,
    "fixes/control_flow/assertions.py": 2,
    "fixes/control_flow/logical_operators.py": 10,
    "fixes/control_flow/loops.py": 2,
    "fixes/editing/calls.py": 4,
    "fixes/editing/logic.py": 2,
    "fixes/editing/spelling.py": 4,
    "fixes/editing/values.py": 14,
    "fixes/functions/captured_variables.py": 1,
    "fixes/functions/hashing.py": 2,
    "fixes/functions/hoisting.py": 1,
    "fixes/functions/jitted_methods.py": 2,
    "fixes/functions/leaks.py": 1,
    "fixes/functions/prints.py": 1,
    "fixes/functions/pytree_flattening.py": 1,
    "fixes/functions/pytree_metadata.py": 1,
    "fixes/functions/random_keys.py": 2,
    "fixes/functions/static_arguments.py": 2,
    "fixes/functions/timing.py": 1,
    "python/expressions/comparisons.py": 1,
    "python/stdlib/object_calls.py": 3,
    "python/stdlib/operator_functions.py": 7,
    "rules/oak204_tracer_to_scalar.py": 28,
    "rules/oak206_sequence_indexed_by_tracer.py": 1,
    "rules/oak207_numpy_array_indexed_by_tracer.py": 1,
    "rules/oak208_numpy_call_on_tracer.py": 1,
    "rules/oak401_reused_key.py": 1,
    "rules/oak503_sequence_operand.py": 1,
}
"""How many dotted names of libraries stand elsewhere, by module. Fixes and rules write code for the
user, so they spell what they write.
"""


def handled(tree: ast.Module) -> set[int]:
    """The keys of tables from names to the functions that evaluate them: who, not what."""
    return {
        id(key)
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(value, ast.Name | ast.Call | ast.Attribute | ast.Lambda)
    }


def names_in(tree: ast.Module) -> Iterator[str]:
    """The dotted names of libraries in strings that are nothing but names."""
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    skipped = texts | handled(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            if id(node) not in skipped and all(re.fullmatch(r"[\w.]+", word) for word in words):
                yield from (word for word in words if DOTTED_NAME.fullmatch(word))


def test_names_of_libraries_stand_in_tables() -> None:
    """A fact about a library is found, and changed, in one place."""
    found = {path: len(list(names_in(tree))) for path, tree in evaluating()}
    assert {path: count for path, count in found.items() if count} == NAMES_LIBRARIES
