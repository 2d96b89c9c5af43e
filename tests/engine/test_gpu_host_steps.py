# pyright: basic
# Primitives are bound to operands of any kind.
"""Which operations the host computes in programs of a GPU: the sample cases of all primitives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.engine.primitive_cases import CASES, cases_of, elementwise
from tests.engine.primitive_samples import Case
from tests.engine.test_primitives import primitive_of

import oakum
from oakum import dtypes
from oakum.compile.executable import prepare
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.compile.plan.planner import Planner, Shared
from oakum.compile.plan.steps import ControlStep, HostStep, Plan
from oakum.dtypes import DType
from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.scipy import special
from oakum.tracing.jaxpr_trace import stage
from oakum.values.avals import ShapedArray

pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.

TESTED = (dtypes.float32, dtypes.complex64, dtypes.int32, dtypes.bfloat16)

ANY_DTYPE = frozenset(
    (
        # Eigenvalues, singular values, and what leads to them.
        *("eig", "eigh", "hessenberg", "schur", "svd", "tridiagonal", "cholesky_update"),
        # Several devices, and keys of generators that are compared.
        *("all_gather", "all_to_all", "axis_index", "pmax", "pmin", "ppermute", "psum", "pvary"),
        *("psum_invariant", "reduce_scatter", "eq", "ne"),
        # The state of the host's generator.
        "rng_uniform",
    )
)
"""What the host computes of floats, and of other numbers."""

OF_COMPLEX = frozenset(
    "acos acosh asin asinh atan atan2 atanh clamp pow eq_to cummax cummin cumprod cumlogsumexp "
    "reduce reduce_max reduce_min reduce_window reduce_window_max reduce_window_min "
    "reduce_window_sum select_and_gather_add "
    "select_and_scatter_add".split()
)
"""What the host computes of complex numbers alone."""

OF_SMALL = frozenset(["convert_element_type", "random_gamma"])
"""What the host computes of dtypes of less than 32 bits, or to those of 8 bits and less."""


def host_steps(plan: Plan) -> Iterator[str]:
    """The operations that the host evaluates in a plan, and in its loops and branches."""
    waiting = [plan]
    while waiting:
        for step in waiting.pop().steps:
            if isinstance(step, HostStep):
                yield step.eqn.primitive.name
            if isinstance(step, ControlStep):
                waiting += step.programs


def planned(case: Case, name: str, tested: DType, backend: GpuBackend) -> Plan:
    """The plan of a primitive for operands of a dtype."""
    primitive = primitive_of(name)
    params = case.params_for(primitive, tested)

    def function(*operands: Any) -> list[Any]:
        made = primitive.bind(*operands, **params)
        return [*made] if primitive.multiple_results else [made]

    return plan_of(stage(function, [each.aval(tested) for each in case.operands]), backend)


def plan_of(closed: Any, backend: GpuBackend) -> Plan:
    """The plan of a program."""
    lowering = backend.lowering()
    return Planner(prepare(closed, lowering), Shared(lowering)).plan()


@pytest.mark.parametrize("name", sorted({*elementwise(), *CASES}))
def test_what_the_host_computes_is_listed(name: str) -> None:
    """The host computes what a user believes a GPU to compute, or the list is out of date."""
    device = EmulatedDevice()
    backend = GpuBackend(lambda: device)
    primitive = primitive_of(name)
    everything: set[str] = set()
    with oakum.enable_x64(True):
        for tested in TESTED:
            for case in cases_of(name):
                if case.accepts(primitive, tested):
                    found = set(host_steps(planned(case, name, tested, backend)))
                    is_complex = tested is dtypes.complex64
                    allowed = ANY_DTYPE | OF_SMALL | (OF_COMPLEX if is_complex else frozenset())
                    assert found <= allowed, f"{found - allowed} of {tested}"
                    everything |= found
    assert (name in everything) == (name in ANY_DTYPE | OF_SMALL | OF_COMPLEX)


@pytest.mark.parametrize("name", "exp1 expi expn sici spence dawsn erfcx".split())
def test_integrals_have_no_host_step(name: str) -> None:
    """The host computes what a user believes a GPU to compute."""
    device, operand = EmulatedDevice(), ShapedArray((5,), dtypes.float32)
    function = getattr(special, name)
    operands = [operand] * (2 if name == "expn" else 1)
    closed = stage(lambda *given: oakum.tree.leaves(function(*given)), operands)
    assert list(host_steps(plan_of(closed, GpuBackend(lambda: device)))) == []
