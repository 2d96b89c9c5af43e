"""What the verifier of plans raises, and how it names steps."""

from __future__ import annotations

from oakum.compile.plan.steps import ControlStep, HostStep, PlanStep, describe


class PlanError(Exception):
    """A plan reads, writes or shares memory as it must not; the message names the step."""


def demand(holds: bool, otherwise: str) -> None:
    """Raises `PlanError` where a rule is broken."""
    if not holds:
        raise PlanError(otherwise)


def title(number: int, step: PlanStep) -> str:
    """A step in a few words."""
    what = str(step.eqn.primitive) if isinstance(step, HostStep | ControlStep) else describe(step)
    return f"step {number} ({what})"
