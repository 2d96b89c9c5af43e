"""The interpreter: a machine with all its parts, and the analysis of a set of modules with it."""

from collections.abc import Callable, Sequence
from functools import partial

from oakum.values.records import dataclass
from oakum_lint.analyses.gradients.presumed_gradients import presume_gradient
from oakum_lint.analyses.register import guests, together
from oakum_lint.arrays.expected_failures import (
    Expectation,
    decorators_expect,
    expected_around,
    expected_where_passed,
)
from oakum_lint.calls import CALLERS, call_expression, evaluate_arguments
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.assumptions import NOTHING_ASSUMED, Assumptions
from oakum_lint.domain.budget import Running
from oakum_lint.domain.callables import ClassValue, FunctionValue, Scope, Site, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.groups.bodies import Needed
from oakum_lint.domain.groups.ground import Ground
from oakum_lint.domain.groups.work import (
    BODIES,
    Group,
    Phase,
    Progress,
    Unfollowed,
    groups_apart,
    groups_of,
    starts_alone,
)
from oakum_lint.domain.interpreter import Failure, Machine
from oakum_lint.domain.limits import SECONDS_PER_ROOT
from oakum_lint.domain.parts import Parts
from oakum_lint.domain.project import Module, Project
from oakum_lint.domain.values import UNKNOWN, Value, next_uid
from oakum_lint.jax.entry_points import assume
from oakum_lint.jax.implicit_tracing import (
    check_environment,
    presume,
    presume_applied,
    presume_rule,
    trace_method,
    traced_methods,
)
from oakum_lint.jax.metadata_arrays import check_metadata
from oakum_lint.jax.transforms import trace_pending
from oakum_lint.libraries import module_state
from oakum_lint.models.habits import ENVIRONMENT_METHODS
from oakum_lint.models.host.pytest_hooks import HOOKS_FILE, SETUP_HOOKS
from oakum_lint.python.expressions.attribute_expressions import attribute
from oakum_lint.python.expressions.expressions import EXPRESSIONS
from oakum_lint.python.expressions.operators import call_special
from oakum_lint.python.expressions.subscripts import subscript
from oakum_lint.python.objects.classes import prototype, receiver_kind
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.python.statements.modules import (
    load_name,
    module_attribute,
    run_module,
    run_unit,
)
from oakum_lint.python.statements.statements import STATEMENTS
from oakum_lint.python.stdlib.object_calls import patch_by_decorators
from oakum_lint.python.stdlib.patches import undo_patches
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts

GUESTS = (*guests(), module_state.GUEST)
"""The analyses."""

PARTS = Parts(
    expressions={
        **EXPRESSIONS,
        nodes.Call: call_expression,
        nodes.Attribute: attribute,
        nodes.Subscript: subscript,
    },
    statements=STATEMENTS,
    callers=CALLERS,
    load_name=load_name,
    module_attribute=module_attribute,
    arguments=evaluate_arguments,
    special=call_special,
    moments=together(GUESTS),
)

UNFOLLOWED = Unfollowed()
Work = tuple[Module, Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Modules whose bodies have run, and the groups of work that these have left."""

    machine: Machine
    modules: Sequence[Module]
    scopes: frozenset[Scope]
    """Those of the modules: noted once, as a project has as many groups as it has files."""
    ground: Ground
    groups: tuple[Group, ...]

    def run_groups(self, progress: Progress = UNFOLLOWED) -> None:
        """Runs the groups, in their order, as far as they have to; it may be asked for again."""
        self.ground.start_over()
        for group in self.groups:
            self.run_group(group, progress)

    def run_group(self, group: Group, progress: Progress) -> None:
        """Runs one group, if it has to, with what is known then."""
        machine = self.machine
        if progress.begins(machine, group.name):
            with self.ground.kept():
                _run_group(machine, self.modules, self.scopes, group)
                progress.ended(machine, group.name)


def interpret_bodies(
    project: Project,
    modules: Sequence[Module],
    emit: Callable[[Event], None],
    fail: Failure,
    assumptions: Assumptions = NOTHING_ASSUMED,
    seconds: float = SECONDS_PER_ROOT,
    parts: Parts = PARTS,
    progress: Progress = UNFOLLOWED,
) -> Interpretation:
    """Interprets the bodies of modules, which leave groups of work: among it every function that
    nothing in them is seen to call.

    An exception in the interpreter itself ends the work on one function, or one statement of a
    module; `fail` is called, and the rest goes on.
    """
    machine = Machine(project, emit, parts, assumptions, fail, seconds)
    needed = None
    if progress.begins(machine, BODIES):
        _run_hooks(machine, modules)
        _run_bodies(machine, [module for module in modules if not starts_alone(module)])
    else:
        needed = progress.needed(machine)
        _run_statements(machine, needed)
    _end_group(machine, modules)
    progress.ended(machine, BODIES)
    groups = (*groups_apart(modules), *groups_of(machine, modules))
    if needed is not None:
        by_name = {group.name: group for group in groups}
        groups = tuple([by_name.get(name) or Group.passed_by(name) for name in needed.groups])
    scopes = frozenset([module.scope for module in modules])
    return Interpretation(machine, modules, scopes, Ground(machine), groups)


def _run_bodies(machine: Machine, modules: Sequence[Module]) -> None:
    for module in modules:
        _guarded(machine, module, partial(run_module, machine, module))
    if machine.assumptions:
        for module in modules:
            # What is assumed to be traced may be what no statement of the module asks for.
            for name in module.all_bound():
                if not all(_is_apart(module, unit) for unit in module.binders(name)):
                    _guarded(machine, module, partial(load_name, machine, module, name))


def _run_statements(machine: Machine, needed: Needed | None) -> None:
    """Runs those statements of modules that are needed, as if all had."""
    if needed is None:
        return
    for module in needed.modules:
        module.is_done = True
    for module, unit in needed.units:
        if unit not in module.executed:
            _guarded(machine, module, partial(run_unit, machine, module, unit))


def _run_hooks(machine: Machine, modules: Sequence[Module]) -> None:
    """Calls what pytest calls before the first test: it may configure JAX for all of them."""
    for module in modules:
        if module.path.name == HOOKS_FILE:
            for name in SETUP_HOOKS:
                _guarded(machine, module, partial(_run_hook, machine, module, name))


def _run_hook(machine: Machine, module: Module, name: str) -> None:
    hook = module_attribute(machine, module, name)
    if isinstance(hook, FunctionValue):
        outside = Frame(hook.scope, hook.unit, hook.module, None)
        _call_uncalled(machine, hook, outside)


def _run_group(
    machine: Machine, modules: Sequence[Module], scopes: frozenset[Scope], group: Group
) -> None:
    group.hand_to(machine)
    backlog = Backlog(machine, scopes, group)
    if group.body is not None:
        _run_bodies(machine, [group.body])
    while (entry := backlog.next()) is not None:
        module, work = entry
        machine.epoch = next_uid()
        with machine.new_root():
            _guarded(machine, module, work)
        undo_patches(machine)
    _end_group(machine, modules)


def _end_group(machine: Machine, modules: Sequence[Module]) -> None:
    """Has the guests report what they have waited with."""
    for module in modules[:1]:
        for ends in machine.moments.group_ended:
            _guarded(machine, module, partial(ends, machine))


class Backlog:
    """The functions of a group that nobody has called, in the order they are taken up, and those
    that this work defines.

    First what is known to be traced: a plain call with unknown arguments shows less.
    """

    def __init__(self, machine: Machine, wanted: frozenset[Scope], group: Group) -> None:
        self._machine = machine
        self._wanted = wanted
        """The modules whose own functions are asked for."""
        self._pending = self._conventional = self._classes = self._noted = self._rules = 0
        self._compiled: set[int] = set()
        """The identities of the functions that pending ones compile."""
        own = len(machine.defined)
        self._functions = own if group.phase is Phase.ASSUMED else 0
        self._assumed = own if group.phase is Phase.CALLED else 0

    def next(self) -> Work | None:
        """The next piece of work and its module; None when everything is done."""
        machine = self._machine
        while self._pending < len(machine.pending):
            self._note_compiled()
            function, frame = machine.pending[self._pending]
            self._pending += 1
            if id(function) not in self._compiled:
                return frame.module, partial(self._trace_pending, function, frame)
        if self._conventional < len(machine.conventional):
            value, frame = machine.conventional[self._conventional]
            self._conventional += 1
            return frame.module, partial(presume, machine, value, _outside(machine, frame))
        if self._classes < len(machine.defined_classes):
            cls, frame = machine.defined_classes[self._classes]
            self._classes += 1
            return frame.module, partial(self._trace_methods, cls, frame)
        if self._functions < len(machine.defined):
            defined, frame = machine.defined[self._functions]
            self._functions += 1
            return frame.module, partial(self._call_function, defined, frame)
        while self._rules < len(machine.pending):
            function, frame = machine.pending[self._rules]
            self._rules += 1
            if function.transform.facts.kind == "custom" and frame.module.scope in self._wanted:
                outside = _outside(machine, frame)
                return frame.module, partial(presume_rule, machine, function, outside)
        if machine.assumptions and self._assumed < len(machine.defined):
            # Last: what a plain call shows already is proved, not assumed.
            defined, frame = machine.defined[self._assumed]
            self._assumed += 1
            return frame.module, partial(self._assume, defined, frame)
        return None

    def _note_compiled(self) -> None:
        """Notes which transformed functions are compiled: `vmap(f)` of `jit(vmap(f))`, where what
        is mapped over no axis is traced, too. They are traced with what compiles them.
        """
        pending = self._machine.pending
        for function, _ in pending[self._noted :]:
            if function.transform.facts.kind == "jit":
                self._compiled.add(id(function.function))
        self._noted = len(pending)

    def _trace_pending(self, function: Transformed, frame: Frame) -> None:
        machine = self._machine
        target = signature_of(machine, function.function).function
        is_called = target is None or machine.known.traced.holds(target)
        trace_pending(machine, function, _outside(machine, frame))
        if target is not None and not is_called and frame.module.scope in self._wanted:
            with machine.new_root():
                presume_gradient(machine, target, _outside(machine, frame))

    def _assume(self, function: FunctionValue, frame: Frame) -> None:
        module = frame.module
        if module.scope in self._wanted and not _is_apart(module, function.unit):
            assume(self._machine, function, _outside(self._machine, frame))

    def _trace_methods(self, cls: ClassValue, frame: Frame) -> None:
        module = frame.module
        if module.scope in self._wanted and not _is_apart(module, frame.unit):
            _trace_methods(self._machine, cls, _outside(self._machine, frame))

    def _call_function(self, function: FunctionValue, frame: Frame) -> None:
        if (
            frame.module.scope in self._wanted
            and frame.module.is_live(function.unit)
            and not self._machine.known.entered.holds(function)
        ):
            _call_uncalled(self._machine, function, frame)
            # What a plain call shows already is proved.
            with self._machine.new_root():
                presume_applied(self._machine, function, _outside(self._machine, frame))
            with self._machine.new_root():
                presume_gradient(self._machine, function, _outside(self._machine, frame))


def _is_apart(module: Module, unit: UnitFacts) -> bool:
    """Whether a unit of a dependent has nothing to do with what is checked."""
    return module.is_dependent and not module.is_live(unit)


def _trace_methods(machine: Machine, cls: ClassValue, frame: Frame) -> None:
    check_metadata(machine, cls)
    for method in traced_methods(machine, cls):
        is_run = machine.known.entered.holds(method)
        with machine.new_root():
            trace_method(machine, cls, method, frame)
        if not is_run and method.name not in ENVIRONMENT_METHODS:
            # Modules are trained.
            with machine.new_root():
                presume_gradient(machine, method, frame)
    with machine.new_root():
        check_environment(machine, cls, frame)


def _outside(machine: Machine, frame: Frame) -> Frame:
    """The frame as a place to start from: outside its caller's guards. What is defined in a test
    that expects errors may be what raises them.
    """
    outside = Frame(
        frame.scope, frame.unit, frame.module, frame.trace, current_class=frame.current_class
    )
    _expect(outside, expected_around(machine, frame))
    return outside


def _expect(outside: Frame, expected: Expectation) -> None:
    """Has a place to start from expect failures."""
    if expected == "failure":
        outside.regions.quiet = 1
    elif expected == "perhaps":
        outside.guards = (*outside.guards, "a test that expects an error")


def _call_uncalled(machine: Machine, function: FunctionValue, frame: Frame) -> None:
    """Calls a function with nothing known of its arguments, but for the instance of a method."""
    outside = _outside(machine, frame)
    _expect(outside, expected_where_passed(machine, function))
    if isinstance(function.definition, nodes.FunctionDefinition):
        _expect(outside, decorators_expect(machine, function.definition, outside))
    patch_by_decorators(machine, function.definition, outside)
    arguments: list[Value] = []
    items = function.definition.parameters.items
    match function.cls, receiver_kind(function):
        case ClassValue() as cls, "instance":
            arguments.append(prototype(machine, cls, outside))
        case ClassValue() as cls, "class":
            arguments.append(cls)
        case _:
            pass
    required = [
        p for p in items if p.kind in ("positional_only", "positional") and p.default is None
    ]
    for parameter in required[len(arguments) :]:
        arguments.append(_uncalled_argument(machine, function, parameter, outside))
    optional = [p for p in items if p.default is not None or p.kind == "keyword_only"]
    keywords: dict[str, Value] = {
        p.name: UNKNOWN
        if p.default is not None
        else _uncalled_argument(machine, function, p, outside)
        for p in optional
        if p.kind in ("positional", "keyword_only")
    }
    kinds = {p.kind for p in items}
    more = UNKNOWN if "var_positional" in kinds else None
    more_keywords = UNKNOWN if "var_keyword" in kinds else None
    given = Arguments(tuple(arguments), keywords, more, more_keywords)
    outside.called.speculative = 2 if items else 1
    result = machine.call(function, given, outside, function.definition)
    for hears in machine.moments.uncalled_returned:
        hears(machine, function, result, outside)


def _uncalled_argument(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter, frame: Frame
) -> Value:
    """What a parameter gets of a function that nobody is seen to call: Unknown, but for what an
    analysis takes it for.
    """
    asked = machine.moments.uncalled_argument
    found = (taken(machine, function, parameter, frame) for taken in asked)
    return next((each for each in found if each is not None), UNKNOWN)


def _guarded(machine: Machine, module: Module, work: Callable[[], object]) -> None:
    store, budget = machine.root_store, machine.budget
    try:
        work()
    except Exception as error:
        # Whatever goes wrong in one place must not silence the rest.
        machine.fail(Site(module, module.facts.units[0], 0, 0), "this file", error)
    finally:
        machine.store, machine.recorder, machine.budget = store, None, budget
        machine.running = Running()
