"""Compiled programs beside their interpretation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import oakum
from oakum.compile.executable import Executable
from oakum.dtypes import Kind
from oakum.tracing.ir import run_closed
from oakum.values import host as hosts


def compare_compiled(
    function: Callable[..., Any],
    *arguments: Any,
    host: str | None = "",
    near: float = 0.0,
    nan_bits: bool = True,
    signed_zeros: bool = True,
) -> Executable:
    """Compares a compiled function with its interpretation: bit by bit unless `near` says else, or
    all NaNs or zeros of both signs are to be alike.

    `host` names the operations that the host computes; None where that does not matter.
    """
    traced: Any = oakum.make_jaxpr(function)(*arguments)
    closed = getattr(traced, "closed", traced)
    raws = [np.asarray(getattr(x, "raw", x)) for x in oakum.tree_util.tree_leaves(arguments)]
    before = [raw.copy() for raw in raws]
    program = Executable(closed)
    assert program.source is not None
    steps = {step.eqn.primitive.name for step in program.source.host_steps}
    assert host is None or steps == set(host.split()), f"the host computes {steps}"
    results = program(raws)
    for actual, wanted in zip(results, run_closed(np, closed, raws), strict=True):
        expected = np.asarray(wanted)
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        if near and hosts.read_dtype(actual.dtype).kind is Kind.FLOAT:
            wide = actual.astype("float64"), expected.astype("float64")
            np.testing.assert_allclose(*wide, rtol=near, atol=near)
            continue
        if not nan_bits:
            actual, expected = (
                np.where(x != x, np.nan, x).astype(x.dtype) for x in (actual, expected)
            )
        if not signed_zeros:
            actual, expected = (np.where(x == 0, 0, x).astype(x.dtype) for x in (actual, expected))
        assert actual.tobytes() == expected.tobytes(), f"{actual} for {expected}"
    for raw, given in zip(raws, before, strict=True):
        assert raw.tobytes() == given.tobytes(), "an argument was written to"
    return program
