"""The tables of dtypes say what real NumPy gives.

When one of these fails, `oakum check` takes an array of NumPy for one of another dtype, and reports
a gradient or a carry that is right, or is silent about one that is not.
"""

import inspect
from typing import Any, cast

import numpy as np
import pytest

from oakum import dtypes
from oakum.values import declarations
from oakum.values.avals import ShapedArray
from oakum_lint.models.host.numpy_dtypes import DRAWN_DTYPES, SAME_DTYPE_UNDER_X64

SQUARE = {
    "i": np.arange(1, 5).reshape(2, 2),
    "f": np.arange(1.0, 5.0).reshape(2, 2),
}
CALLS: dict[str, tuple[Any, ...]] = {
    "arange": (4,),
    "array": ([1, 2],),
    "asarray": ([1.0, 2],),
    "empty": ((2,),),
    "eye": (2,),
    "full": ((2,), 7),
    "full_like": ("x", 7),
    "identity": (2,),
    "linspace": (0, 1),
    "ones": ((2,),),
    "tri": (2,),
    "zeros": ((2,),),
    "broadcast_to": ("x", (2, 2, 2)),
    "clip": ("x", 0, 1),
    "column_stack": (["x", "x"],),
    "concatenate": (["x", "x"],),
    "expand_dims": ("x", 0),
    "hstack": (["x", "x"],),
    "moveaxis": ("x", 0, 1),
    "repeat": ("x", 2),
    "reshape": ("x", (4,)),
    "roll": ("x", 1),
    "stack": (["x", "x"],),
    "swapaxes": ("x", 0, 1),
    "take": ("x", [0]),
    "tile": ("x", 2),
    "vstack": (["x", "x"],),
    "where": ("mask", "x", 1),
}
OF_TWO = frozenset("add divide dot matmul maximum minimum multiply outer subtract".split())
ONLY_METHODS = frozenset({"flatten"})


def fill(part: Any, array: np.ndarray[Any, Any]) -> Any:
    if isinstance(part, list):
        items = cast("list[Any]", part)
        return [fill(item, array) for item in items]
    return {"x": array, "mask": array > 1}.get(part, part) if isinstance(part, str) else part


def to_aval(part: Any) -> Any:
    if isinstance(part, list):
        items = cast("list[Any]", part)
        return [to_aval(item) for item in items]
    if isinstance(part, np.ndarray):
        array = cast("np.ndarray[Any, Any]", part)
        return ShapedArray(array.shape, dtypes.read(array.dtype.name), False)
    return part


@pytest.mark.parametrize("kind", SQUARE)
@pytest.mark.parametrize("name", sorted(SAME_DTYPE_UNDER_X64))
def test_numpy_gives_the_dtype_of_jax_under_x64(name: str, kind: str) -> None:
    given = CALLS.get(name, ("x", "x") if name in OF_TWO else ("x",))
    arguments = [fill(part, SQUARE[kind]) for part in given]
    if name in ONLY_METHODS:
        expected = getattr(arguments[0], name)().dtype
        declared = declarations.find(f"Array.{name}")
    else:
        expected = getattr(np, name)(*arguments).dtype
        declared = declarations.find(f"numpy.{name}")
    if declared is None or declared.rule is None:
        pytest.fail(f"nothing is declared of {name}")
    bound = declared.signature.bind(*map(to_aval, arguments))
    bound.apply_defaults()
    with dtypes.assume_x64(True):
        aval: Any = declared.rule(bound.arguments)
    assert aval.dtype.name == expected.name


@pytest.mark.parametrize("name", sorted(DRAWN_DTYPES))
def test_random_functions_draw_what_the_table_says(name: str) -> None:
    generator = np.random.default_rng(0)
    arguments = {"integers": (0, 5, 3), "randint": (0, 5, 3), "binomial": (3, 0.5, 4)}.get(name)
    owners = [owner for owner in (np.random, generator) if hasattr(owner, name)]
    assert owners, f"NumPy has no random function {name}"
    expected, before_dtype = DRAWN_DTYPES[name]
    assert len(arguments or ()) <= before_dtype
    for owner in owners:
        draw = getattr(owner, name)
        names = list(inspect.signature(draw).parameters)
        before = names.index("dtype") if "dtype" in names else len(names)
        assert names == ["args"] or before == before_dtype
        drawn = draw(*arguments) if arguments else draw(*((3,) if name[:4] == "rand" else ()))
        assert np.asarray(drawn).dtype.name == expected.name
