# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""The verifier of plans refuses plans of real programs in which one fault was planted.

A fault that passes here is one that the compiler could make: the user would get wrong numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import oakum
from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.compile import plan_verify
from oakum.compile.cpu.codegen import cumulative
from oakum.compile.cpu.codegen.schedule import schedule
from oakum.compile.cpu.cpu_backend import CpuLowering
from oakum.compile.cpu.step_writer import ProductCodes
from oakum.compile.executable import prepare
from oakum.compile.fusion.fuse import Fusion
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.loops.loop_ir import Affine, Buffer, Load, Nest, Store, Sweep
from oakum.compile.native import target
from oakum.compile.plan import buffer_assignment, steps
from oakum.compile.plan.buffer_assignment import rename_buffers
from oakum.compile.plan.planner import Planner, Shared
from oakum.compile.plan.steps import Plan
from oakum.compile.plan_verify.conflicts import verify_shares
from oakum.compile.plan_verify.errors import PlanError
from oakum.compile.plan_verify.native_accesses import verify_code

X = np.linspace(-1, 1, 240, dtype="float32").reshape(12, 20)
LOWERING = CpuLowering()


def layers(x: Any) -> Any:
    """A product that is gone on with, a running sum, a sort of the host's, and a product."""
    h = jnp.tanh(x @ jnp.asarray(X.T.copy()) + x[0, :12])
    y = jnp.cumsum(h, axis=0)
    return (jnp.sort(y, axis=1) + y) @ jnp.ones((12, 3)), h


def rounds(x: Any) -> Any:
    """A scan that carries by turns and in place, and stacks."""

    def body(carry: Any, row: Any) -> Any:
        a, b, n = carry
        return (a + b, jnp.cumsum(a) * b, n.at[0].add(row)), a[0] + n[1]

    return lax.scan(body, (x[0], x[1], jnp.zeros(20)), jnp.arange(6.0))


def turns(x: Any) -> Any:
    """A loop that carries one value by turns, and another one in place."""
    return lax.while_loop(
        lambda c: c[0][0] < 3, lambda c: (c[0][::-1] + c[1], c[0] * 2), (x[0], x[1])
    )


def branches(x: Any) -> Any:
    """Branches that all write over what they are given."""
    y = jnp.cumsum(x, axis=1)
    ways = [lambda y: y + 1, lambda y: jnp.sort(y, axis=1)[::-1], lambda y: y * 3]
    return lax.switch(x[0, 0].astype(int), ways, y)


def solution(x: Any) -> Any:
    """Kernels of their own, with scratch memory and several results."""
    return jnp.linalg.solve(x[:, :12] + jnp.eye(12) * 4, x[:, 12])


def given_away(x: Any) -> Any:
    """A result that takes the memory of an argument that is given away."""
    return jnp.cumsum(x, axis=0), x * 2 + 1


def told(x: Any) -> Any:
    """Effects, which have an order."""
    oakum.debug.print("{}", x[0])
    oakum.debug.print("{}", x[1])
    return x + 1


def planned(function: Callable[..., Any], *, donated: bool = False) -> tuple[Plan, Plan]:
    """The plan of a program before and after its values share memory."""
    traced: Any = oakum.make_jaxpr(function)(X)
    plan = Planner(prepare(getattr(traced, "closed", traced), LOWERING), Shared(LOWERING)).plan()
    before = plan_verify.copy_plan(plan)
    buffer_assignment.finish(plan, buffer_assignment.aliases_of(plan, [donated]))
    plan_verify.verify(before, plan, LOWERING)
    return before, plan


def step_of(plan: Plan, kind: type) -> int:
    """The number of the first step of a kind."""
    return next(n for n, step in enumerate(plan.steps) if isinstance(step, kind))


def change(plan: Plan, number: int, **changes: Any) -> None:
    step: Any = plan.steps[number]
    plan.steps[number] = replace(step, **changes)


def change_sweeps(plan: Plan, number: int, change: Callable[[Sweep], Sweep]) -> None:
    step = plan.steps[number]
    assert isinstance(step, steps.NestStep)
    sweeps = tuple(map(change, step.nest.sweeps))
    plan.steps[number] = steps.NestStep(replace(step.nest, sweeps=sweeps))


def inside(plan: Plan) -> Plan:
    """The last program of the first step that runs programs."""
    step = plan.steps[step_of(plan, steps.ControlStep)]
    assert isinstance(step, steps.ControlStep)
    return step.programs[-1]


# The faults.


def swap_steps(plan: Plan) -> None:
    plan.steps[1], plan.steps[2] = plan.steps[2], plan.steps[1]


def begin_with_the_end(plan: Plan) -> None:
    plan.steps.insert(0, plan.steps.pop())


def leave_out_a_step(plan: Plan) -> None:
    del plan.steps[1]


def overlap_in_one_step(plan: Plan) -> None:
    result = steps.written_by(plan.steps[2])[0]
    plan.offsets[result] = plan.offsets[steps.read_by(plan.steps[2])[0]]


def overlap_what_is_needed_later(plan: Plan) -> None:
    factors = steps.written_by(plan.steps[1])[0]
    between = steps.written_by(plan.steps[2])[1]
    plan.offsets[between] = plan.offsets[factors]


def shift_into_a_neighbour(plan: Plan) -> None:
    plan.offsets[max(plan.offsets, key=lambda b: plan.offsets[b])] -= 64


def lay_between_lines(plan: Plan) -> None:
    plan.offsets[max(plan.offsets, key=lambda b: plan.offsets[b])] -= 4


def shrink_the_arena(plan: Plan) -> None:
    plan.arena_bytes -= 64


def forget_a_place(plan: Plan) -> None:
    plan.offsets.popitem()


def shrink_scratch(plan: Plan, kind: type) -> None:
    number = step_of(plan, kind)
    step: Any = plan.steps[number]
    less = replace(step.scratch, size=step.scratch.size // 2)
    plan.offsets[less] = plan.offsets[step.scratch]
    change(plan, number, scratch=less)


def shrink_scratch_of_a_product(plan: Plan) -> None:
    shrink_scratch(plan, steps.ContractionStep)


def shrink_scratch_of_a_kernel(plan: Plan) -> None:
    shrink_scratch(plan, steps.KernelStep)


def shrink_scratch_of_a_loop(plan: Plan) -> None:
    shrink_scratch(plan, steps.ControlStep)


def spare_in_the_memory_of_a_result(plan: Plan) -> None:
    number = step_of(plan, steps.ControlStep)
    step: Any = plan.steps[number]
    change(plan, number, spare=(step.outputs[0], *step.spare[1:]))


def carry_in_place_what_is_still_read(plan: Plan) -> None:
    number = step_of(plan, steps.ControlStep)
    step: Any = plan.steps[number]
    change(plan, number, spare=(None, *step.spare[1:]))
    program = inside(plan)
    program.aliases[0] = 0
    names = {program.inputs[0]: program.outputs[0]}
    program.steps = [
        new for each in program.steps if (new := rename_buffers(each, names)) is not None
    ]


def say_that_all_is_carried_in_place(plan: Plan) -> None:
    number = step_of(plan, steps.ControlStep)
    step: Any = plan.steps[number]
    change(plan, number, spare=(None, *step.spare[1:]))


def forget_that_a_branch_writes_over(plan: Plan) -> None:
    del inside(plan).aliases[0]


def write_over_a_live_value(plan: Plan) -> None:
    """The sorted values are put where those are that are added to them."""
    unsorted, in_order = steps.written_by(plan.steps[1])[0], steps.written_by(plan.steps[2])[0]
    step: Any = plan.steps[2]
    plan.steps[2] = replace(step, outputs=(unsorted,))
    change_sweeps(plan, 3, lambda sweep: _loading(sweep, in_order, unsorted))


def _reading(sweep: Sweep, old: Buffer, new: Buffer) -> Sweep:
    instructions = tuple(
        replace(each, buffer=new) if isinstance(each, Load) and each.buffer == old else each
        for each in sweep.instructions
    )
    stores = tuple(replace(s, buffer=new) if s.buffer == old else s for s in sweep.stores)
    return replace(sweep, instructions=instructions, stores=stores)


def read_another_value(plan: Plan) -> None:
    sorted_, unsorted = steps.read_by(plan.steps[3])
    change_sweeps(plan, 3, lambda sweep: _reading(sweep, unsorted, sorted_))


def write_over_an_argument_too_early(plan: Plan) -> None:
    """The running sum takes the memory of the argument, which the other result still reads."""
    plan.aliases[0] = 0


def write_to_an_argument(plan: Plan) -> None:
    number = step_of(plan, steps.AccumulationStep)
    change(plan, number, result=plan.inputs[0])


def store_beside(plan: Plan) -> None:
    def moved(sweep: Sweep) -> Sweep:
        shift = (replace(store, offset=store.offset + 1) for store in sweep.stores)
        return replace(sweep, stores=tuple(shift))

    change_sweeps(plan, 0, moved)


def store_less(plan: Plan) -> None:
    step = plan.steps[0]
    assert isinstance(step, steps.NestStep)
    fewer = replace(step.nest, extents=(step.nest.extents[0] - 1, *step.nest.extents[1:]))
    plan.steps[0] = steps.NestStep(fewer)


def load_what_others_store(plan: Plan) -> None:
    """An element is computed in place from its neighbour, which another position changes."""
    program = inside(plan)

    def moved(sweep: Sweep) -> Sweep:
        reverse = Affine(((0, -1),), 19)
        instructions = tuple(
            replace(each, offset=reverse)
            if isinstance(each, Load) and each.buffer.role == "out"
            else each
            for each in sweep.instructions
        )
        return replace(sweep, instructions=instructions)

    change_sweeps(program, len(program.steps) - 1, moved)


def read_what_is_written_over(plan: Plan) -> None:
    """A round reads an input in its own memory, where a result takes its place."""
    program = inside(plan)
    ((result, given),) = [(r, g) for r, g in program.aliases.items() if r == 1]
    old, new = program.outputs[result], program.inputs[given]
    change_sweeps(program, 0, lambda sweep: _loading(sweep, old, new))


def _loading(sweep: Sweep, old: Buffer, new: Buffer) -> Sweep:
    stores = sweep.stores
    return replace(_reading(sweep, old, new), stores=stores)


def miss_an_operand(plan: Plan) -> None:
    number = step_of(plan, steps.ContractionStep)
    step: Any = plan.steps[number]
    change(plan, number, reads=step.reads[1:])


def swap_effects(plan: Plan) -> None:
    first, second = (n for n, s in enumerate(plan.steps) if isinstance(s, steps.HostStep))
    plan.steps[first], plan.steps[second] = plan.steps[second], plan.steps[first]


FAULTS: Sequence[tuple[Callable[[Plan], None], Callable[..., Any], str]] = (
    (swap_steps, layers, r"step 1 \(sort\): temporary\d+ is read, which no step before"),
    (begin_with_the_end, layers, r"step 0 .* is read, which no step before has written"),
    (leave_out_a_step, layers, r"step 1 \(sort\): .* which no step before has written"),
    (overlap_in_one_step, layers, r"step 2 \(sort\): .* lies over .* the step needs both"),
    (overlap_what_is_needed_later, solution, r"step 4 .* is read, where step 2 .* has written"),
    (shift_into_a_neighbour, rounds, r"step \d .* lies over .* the step needs both"),
    (lay_between_lines, rounds, r"step \d .* is not aligned"),
    (shrink_the_arena, layers, r"step \d .* ends at \d+, the arena at \d+"),
    (forget_a_place, rounds, r"step \d .* has no place in the arena"),
    (shrink_scratch_of_a_product, layers, r"step 0 .* is smaller than \d+ bytes"),
    (shrink_scratch_of_a_kernel, solution, r"step 1 .* is smaller than \d+ bytes"),
    (shrink_scratch_of_a_loop, rounds, r"step 2 \(scan\): .* smaller than the \d+ bytes inside"),
    (spare_in_the_memory_of_a_result, rounds, r"step 2 \(scan\): out0 is no scratch memory"),
    (carry_in_place_what_is_still_read, rounds, r"step 2 \(scan\): the program inside: step \d"),
    (say_that_all_is_carried_in_place, rounds, r"step 2 \(scan\): .* not carried in place"),
    (forget_that_a_branch_writes_over, branches, r"step 2 \(cond\): out0 lies where operands"),
    (write_over_a_live_value, layers, r"step 3 .* reads something else"),
    (read_another_value, layers, r"step 3 .* reads something else"),
    (write_over_an_argument_too_early, given_away, r"in0 is read, which a result is written over"),
    (write_to_an_argument, branches, r"step 0 .* in0 is written"),
    (store_beside, rounds, r"step 0 .* goes from 1 to 20 in .* of 20"),
    (store_less, rounds, r"step 0 .* is no value of the program"),
    (load_what_others_store, turns, r"step 1 \(while\): step 0 .* one position loads"),
    (read_what_is_written_over, turns, r"step 1 \(while\): step 0 .* is read, which a result"),
    (miss_an_operand, layers, r"step 0 .* arrays are read beside the operands"),
    (swap_effects, told, r"step \d|effects"),
)


@pytest.mark.parametrize(
    ("plant", "function", "message"), FAULTS, ids=[each.__name__ for each, _, _ in FAULTS]
)
def test_planted_faults(
    plant: Callable[[Plan], None], function: Callable[..., Any], message: str
) -> None:
    """A fault in the memory of a program is not seen: wrong numbers, now and then."""
    before, plan = planned(function)
    plant(plan)
    with pytest.raises(PlanError, match=message):
        plan_verify.verify(before, plan, LOWERING)


@pytest.mark.parametrize("name", ["read_by", "written_by", "buffers_of"])
def test_what_a_step_does_not_declare(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that keeps quiet about memory that it touches: others are planned to lie there."""
    before, plan = planned(layers)
    declared: Any = getattr(steps, name)
    monkeypatch.setattr(steps, name, lambda step: declared(step)[:-1])
    with pytest.raises(PlanError, match=r"step \d .* which the step does not declare"):
        plan_verify.verify(before, plan, LOWERING)


def test_what_a_step_declares_and_does_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that claims to write what it does not write: later ones read what is not there."""
    before, plan = planned(layers)
    declared = steps.written_by
    monkeypatch.setattr(
        steps, "written_by", lambda step: [*declared(step), *steps.read_by(step)][:2]
    )
    with pytest.raises(PlanError, match=r"step 0 .* is declared to be written, and is not"):
        plan_verify.verify(before, plan, LOWERING)


def test_copies_that_read_what_is_not_written_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault that once gave a wrong `argmax` of a slice that was returned: a copy of a
    comparison, which another group needs, too, read the slice before it was in memory.
    """
    monkeypatch.setattr(
        Fusion, "uses_again", lambda self, member, *place: self.uses(member.eqn, *place)
    )

    def largest(x: Any) -> Any:
        v = jnp.exp(x[:2]).ravel()[1:]
        return v, (v == v.max()).reshape(13, 3).sum(0)

    traced: Any = oakum.make_jaxpr(largest)(X)
    plan = Planner(prepare(getattr(traced, "closed", traced), LOWERING), Shared(LOWERING)).plan()
    with pytest.raises(PlanError, match=r"step \d \(nest over 13x3\): out0 is read, which no step"):
        plan_verify.finish_verified(plan, LOWERING, {})


def _summed() -> Nest:
    """Rows that are added up: elements for each of the first axis, over the second one."""
    given, to = (Buffer(n, dtypes.float32, 1 << 20, "temporary") for n in (0, 1))
    load = Load(given, Affine(((0, 1), (1, 1 << 10))))
    sweep = Sweep((), (load,), (Store(to, Affine(((0, 1), (1, 1 << 10))), 0),))
    return Nest((1 << 10, 1 << 10), (0, 1), (sweep,))


def test_threads_that_write_one_place() -> None:
    """Threads that share an axis along which results do not move race for one place."""
    nest = _summed()
    how = schedule(nest, target.host())
    verify_shares(nest, replace(how, parallel=0, order=(0, 1)))
    (sweep,) = nest.sweeps
    for wrong in (Affine(((1, 1 << 10),)), Affine(((0, 1), (1, 1)))):
        store = replace(sweep.stores[0], offset=wrong)
        racing = replace(nest, sweeps=(replace(sweep, stores=(store,)),))
        with pytest.raises(PlanError, match="threads that share a0 write one place"):
            verify_shares(racing, replace(how, parallel=0, order=(0, 1)))


def test_threads_that_share_an_inner_axis() -> None:
    """Chunks are parts of the first of the outer axes; threads told to share another one all do
    all of it.
    """
    nest = _summed()
    with pytest.raises(PlanError, match="threads share a1"):
        verify_shares(nest, replace(schedule(nest, target.host()), parallel=1, order=(0, 1)))


def _code(function: Callable[..., Any], kind: type) -> tuple[list[Function], Any]:
    """The code of a step of a program, and the step."""
    _, plan = planned(function)
    step: Any = plan.steps[step_of(plan, kind)]
    if kind is steps.ContractionStep:
        _, code, _ = ProductCodes(target.host()).of(step.problem, step.epilogue)
        return list(code.functions), step
    return [cumulative.write(step.problem, target.host(), "code")], step


def _parameters(step: Any) -> list[Buffer | None]:
    if isinstance(step, steps.ContractionStep):
        given = [step.lhs, step.rhs, step.result, step.scratch, None, None]
        return [*given, *step.reads, *step.others]
    return [step.source, step.result, None, None]


@pytest.mark.parametrize(
    ("function", "kind"), [(layers, steps.ContractionStep), (branches, steps.AccumulationStep)]
)
def test_code_that_touches_what_its_step_does_not_declare(
    function: Callable[..., Any], kind: type
) -> None:
    """Native code stores through an operand, or loads from what its step does not name: others
    are planned to lie there.
    """
    functions, step = _code(function, kind)
    parameters = _parameters(step)
    verify_code(functions, parameters, step)
    place = parameters.index(step.result)
    swapped = [step.result, *parameters[1:place], parameters[0], *parameters[place + 1 :]]
    with pytest.raises(PlanError, match=r"the code of \w+ stores through %\w+, undeclared"):
        verify_code(functions, swapped, step)
    other = replace(step.result, number=99)
    with pytest.raises(PlanError, match=r"the code of \w+ loads through %\w+, undeclared"):
        verify_code(functions, [other, *parameters[1:]], step)
