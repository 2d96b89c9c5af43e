"""The error of the plan verifier, and its names of steps."""

from __future__ import annotations

from oakum.compile.plan.steps import ControlStep, HostStep, PlanStep, describe


class PlanError(Exception):
    """Raised if a plan reads, writes or shares memory as it must not; the message names the
    step.
    """


def demand(holds: bool, otherwise: str) -> None:
    """Raises `PlanError` if a rule does not hold."""
    if not holds:
        raise PlanError(otherwise)


def title(number: int, step: PlanStep) -> str:
    """Describes a step in a few words."""
    what = str(step.eqn.primitive) if isinstance(step, HostStep | ControlStep) else describe(step)
    return f"step {number} ({what})"
