"""The verifier of plans: what the memory of a program must fulfil whatever has planned it.

Plans are verified where `jax_enable_checks` asks for it, before their values share memory and after
it. Nothing of it asks what has made the plan: `accesses` finds what steps touch, `ranges` whether
that is there and apart, `conflicts` whether positions and threads are free of each other, and
`equivalence` whether values that share memory are those that the program has without.
"""

from __future__ import annotations

from collections.abc import Mapping

from oakum.compile.plan import buffer_assignment
from oakum.compile.plan.steps import ControlStep, Plan
from oakum.compile.plan_verify.equivalence import verify_equivalence
from oakum.compile.plan_verify.ranges import verify_ranges
from oakum.compile.problems.problem import Kernels
from oakum.values.records import replace


def finish_verified(plan: Plan, kernels: Kernels, aliases: Mapping[int, int]) -> Plan:
    """`buffer_assignment.finish`, with the plan verified before and after; raises `PlanError`."""
    before = copy_plan(plan)
    verify_ranges(before, kernels, arranged=False)
    buffer_assignment.finish(plan, aliases)
    verify(before, plan, kernels)
    return plan


def verify(before: Plan, plan: Plan, kernels: Kernels) -> None:
    """Raises `PlanError` where a finished plan is not right, or not what it was before."""
    verify_ranges(plan, kernels, arranged=True)
    verify_equivalence(before, plan)


def copy_plan(plan: Plan) -> Plan:
    """Returns the plan as it is now, with those within it."""
    steps = [
        replace(step, programs=tuple(map(copy_plan, step.programs)))
        if isinstance(step, ControlStep)
        else step
        for step in plan.steps
    ]
    return replace(
        plan,
        inputs=[*plan.inputs],
        outputs=[*plan.outputs],
        steps=steps,
        aliases={**plan.aliases},
        offsets={**plan.offsets},
    )
