"""What the verifier of plans raises, and how it names steps."""

from __future__ import annotations

from oakum.compile.cpu.codegen.cumulative import AccumulationStep
from oakum.compile.plan.contraction_steps import ContractionStep
from oakum.compile.plan.steps import ControlStep, HostStep, KernelStep, NestStep, PlanStep


class PlanError(Exception):
    """A plan reads, writes or shares memory as it must not; the message names the step."""


def demand(holds: bool, otherwise: str) -> None:
    """Raises `PlanError` where a rule is broken."""
    if not holds:
        raise PlanError(otherwise)


def title(number: int, step: PlanStep) -> str:
    """A step in a few words."""
    match step:
        case NestStep(nest):
            what = "nest over " + ("x".join(map(str, nest.extents)) or "one position")
        case HostStep(eqn) | ControlStep(eqn):
            what = str(eqn.primitive)
        case ContractionStep():
            what = step.title
        case AccumulationStep(problem) | KernelStep(problem):
            what = str(problem)
    return f"step {number} ({what})"
