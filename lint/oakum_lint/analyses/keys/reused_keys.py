"""Random keys: which array is which key, and where it was used up.

Every key that a program makes has an identity, which goes with the value through variables, calls
and traces. A call that uses a key up leaves its place in the store, on the current path; the next
one on that path is a reuse.
"""

from collections.abc import Sequence
from typing import Literal

from oakum.values.facts import Facts
from oakum.values.records import dataclass, replace
from oakum_lint.analyses.keys import meant_reuses
from oakum_lint.analyses.keys.captured_keys import follows, keeps_key
from oakum_lint.analyses.keys.comprehension_keys import Comprehensions
from oakum_lint.analyses.keys.identities import (
    KEY,
    Consumption,
    KeyIdentity,
    used_cell,
)
from oakum_lint.analyses.keys.inherited_keys import note_heirs, use_before_heirs
from oakum_lint.analyses.keys.meant_reuses import Evidence, varies_alone
from oakum_lint.analyses.keys.named_keys import (
    identity_of,
    is_constant,
    is_held,
    name_constant,
)
from oakum_lint.analyses.keys.seeded_keys import SAME_SEED, drawn_before, name_seeded
from oakum_lint.analyses.keys.skipped_uses import SKIPPED, may_both_run
from oakum_lint.analyses.keys.split_rows import holds_several
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Site
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Trace, calls_to, is_definition, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.project import location_of
from oakum_lint.domain.summaries.memory import note_draw
from oakum_lint.domain.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Array,
    Constant,
    External,
    LibraryObject,
    Origin,
    Place,
    Scalar,
    Value,
)
from oakum_lint.models.frameworks.layers import draws_masks, draws_parameters
from oakum_lint.models.operations import REARRANGES_APART
from oakum_lint.models.transforms import NOT_RUNNING, REPEATING
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location


@dataclass(frozen=True, slots=True)
class KeyReuse(Event):
    """A random key is used up that was used up before, at `first`: again in each iteration or call,
    by `how`, or handed back then; `loop` names the loop of JAX; `evidence` is what says that it may
    be meant; `in_object` says that it was handed over in an object or a container.
    """

    first: Location
    how: Literal["again", "loop", "comprehension", "vmap", "call", "returned"]
    loop: str
    evidence: Evidence
    in_object: bool
    constant: bool = False
    """Whether the key is made of a seed that the code names."""
    names: frozenset[str] = frozenset()
    """What the key is called where it is used up again: the variables that hold it, and what the
    call gets that draws from it itself.
    """
    several: bool = False
    """Whether one of these holds several keys, of which each is used up."""
    root: Location | None = None
    """The first of all uses of the key."""


def _name_result(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: Places,
    value: Array,
    _spelled: str,
    frame: Frame,
    _node: nodes.Node,
) -> Array:
    if not declared.makes_keys:
        return value
    if frame.level and isinstance(bound.get("seed"), Constant):
        return name_constant(machine, value, frame)
    made = name_seeded(machine, value, bound.get("seed", UNKNOWN), places.get("seed"), frame)
    if declared.consumes_keys:
        note_heirs(machine, made, bound, places, frame)
    return made


def _consume_keys(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: Places,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Notes that a call uses up its keys, and reports those that were used up before."""
    if not declared.consumes_keys:
        return
    names = declared.rearranges
    rearranged, rearranges = bound.get(names[0]) if names else None, tuple[str, ...]()
    apart = bound.get(REARRANGES_APART, FALSE) != FALSE
    if rearranged is not None and not isinstance(rearranged, Constant | Scalar) and not apart:
        rearranges = tuple(frame.text(places[n]) if n in places else "" for n in names)
    for name in declared.consumes_keys:
        value, place = bound.get(name), places.get(name)
        if value is not None and place is not None:
            splits = declared.makes_keys
            consume_key(machine, value, frame, node, place, rearranges=rearranges, splits=splits)


def consume_key(
    machine: Machine,
    value: Value,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
    *,
    rearranges: tuple[str, ...] = (),
    stream: str = "",
    presumed: bool = False,
    splits: bool = False,
) -> None:
    """Notes that a call uses up one key, or what a module draws from it for one of its streams;
    `presumed`: nothing is known of the call, but what it is meant to do; `splits`: it makes keys.
    """
    note_draw(machine)
    around = traces(frame.trace)
    if any(trace.kind in NOT_RUNNING for trace in around):
        return
    key = identity_of(machine, value, place, frame)
    if key is not None:
        certain = not (stream or presumed)
        key = replace(key, part=(*key.part, stream)) if stream else key
        use = Consumption((), (), certain=certain, rearranges=rearranges, splits=splits)
        _consume(machine, key, value, use, around, frame, node, place)


def _consume(
    machine: Machine,
    key: KeyIdentity,
    value: Value,
    use: Consumption,
    around: list[Trace],
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> None:
    led_to = calls_to(frame, node)
    use = replace(use, chain=led_to.calls, branches=led_to.branches)
    for cell in _used_cells(machine, key):
        machine.read(key.owner, cell)  # a call like this one may be in no loop
    repeated = _repeating(around, key)
    if repeated is not None:
        _report(machine, use, use, key, value, frame, node, place, "loop", repeated.label)
    elif mapped := [t for t in around if t.kind == "vmap" and _closes_over(machine, frame, t, key)]:
        follows_another = use.certain and follows(machine, key, mapped[0])
        if is_constant(key) or not follows_another:
            _report(machine, use, use, key, value, frame, node, place, "vmap", "")
    else:
        root = _look_back(machine, key, value, use, frame, node, place)
        use = replace(use, root=root)
    if key.owner.uid >= machine.epoch:
        machine.write(key.owner, used_cell(key), use)


def _repeating(around: Sequence[Trace], key: KeyIdentity) -> Trace | None:
    """The loop of JAX whose iterations all get a key."""
    return next((t for t in around if t.kind in REPEATING and t.level > key.level), None)


def _used_cells(machine: Machine, key: KeyIdentity) -> set[str]:
    """The names under which its owner holds how a key was used, or what it is a part of."""
    if key.owner.uid < machine.epoch:
        return set()
    wholes = (replace(key, part=key.part[:length]) for length in range(len(key.part) + 1))
    return set(map(used_cell, wholes))


def _is_alike(machine: Machine, array: Array, frame: Frame) -> bool:
    """Whether nothing around a call decides of a key that it gets, but how that was used before."""
    key = KEY.of(array)
    if key is None:
        return True
    around, comprehensions = traces(frame.trace), machine.state_of(Comprehensions)
    return (
        _repeating(around, key) is None
        and not any(t.kind == "vmap" and t.level > key.level for t in around)
        and not any(comprehensions.repeat(caller.scope, key) for caller in frame.callers())
    )


def _look_back(
    machine: Machine,
    key: KeyIdentity,
    value: Value,
    use: Consumption,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> Site | None:
    """Reports a key that was used before on this path, or in an iteration of a comprehension, and
    returns its first use then.
    """
    root: Site | None = None
    if frame.scope.kind == "comprehension" and not varies_alone(use.rearranges, frame.scope):
        use = replace(use, rearranges=())
    around = [caller.scope for caller in frame.callers()]
    comprehensions = machine.state_of(Comprehensions)
    repeated_in = [
        scope for scope in around if comprehensions.repeat(scope, key) and not use.rearranges
    ]
    again = repeated_in or any(scope.uid in comprehensions.second for scope in around)
    how = "comprehension" if again and not use.rearranges else "again"
    cells = _used_cells(machine, key)
    iterated = [f"{scope.uid} {used_cell(key)}" for scope in repeated_in]
    for cell in (*cells, *iterated):
        before = machine.read(key.owner, cell)
        if not isinstance(before, Consumption):
            continue
        if not _exclusive(before, use) and not _alike(before, use, frame):
            root = _report(machine, before, use, key, value, frame, node, place, how, "")
            break
    else:
        before = drawn_before(machine, key, use)
        if before is not None and not _exclusive(before, use):
            _report(machine, before, use, key, value, frame, node, place, how, "", SAME_SEED)
    for scope, cell in zip(repeated_in, iterated, strict=True):
        # Its next iteration shows whether that has another key.
        comprehensions.drawing.add(scope.uid)
        machine.write(key.owner, cell, use)
    return root


def _closes_over(machine: Machine, frame: Frame, trace: Trace, key: KeyIdentity) -> bool:
    """Whether the function that a trace maps uses a key from outside that is not its argument, or
    one that it makes again for each element.
    """
    if trace.level <= key.level:
        return False
    if is_constant(key):
        return True
    inside = [caller for caller in frame.callers() if caller.level >= trace.level]
    return len(inside) > 1 and not _takes(machine, inside[-2], key)


def _alike(before: Consumption, now: Consumption, frame: Frame) -> bool:
    """Whether two uses rearrange several arrays alike, as inputs and labels of examples."""
    in_loop = any(caller.flow.loops for caller in frame.callers())
    for_each = any(caller.scope.kind == "comprehension" for caller in frame.callers())
    (scope, place), (other, now_at) = before.chain[0], now.chain[0]
    if place != now_at and scope == other and before.rearranges == now.rearranges:
        return False
    again = in_loop and not for_each and (scope, place) == (other, now_at)
    is_order = bool(before.rearranges and now.rearranges)
    return is_order and before.rearranges[1:] == now.rearranges[1:] and not again


def _exclusive(before: Consumption, now: Consumption) -> bool:
    """Whether the two uses stand in different branches of one `cond`, or in different programs."""
    if before.is_of_other_program(now):
        return True
    ours = dict(now.branches)
    return any(site in ours and ours[site] != branch for site, branch in before.branches)


def _report(
    machine: Machine,
    before: Consumption,
    now: Consumption,
    key: KeyIdentity,
    value: Value,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
    how: str,
    loop: str,
    doubt: str = "",
) -> Site | None:
    """Reports the reuse in the function that sees both uses, or to which the key is no argument;
    returns the first use of the key if it does.
    """
    at: nodes.Node = node
    in_object = False
    seen = {scope for scope, _ in before.chain}
    current = frame
    inside: list[tuple[Frame, nodes.Node]] = []
    for caller in frame.callers():
        current = caller
        inside.append((caller, at))
        given = _takes(machine, caller, key) or _takes_around(machine, caller, key)
        if caller.scope.uid in seen or not given or is_definition(caller):
            break
        if caller.called.site is None:
            continue
        at = nodes.Pass(caller.called.site.start, caller.called.site.end)
    if current.scope.uid not in seen:
        if how == "again" and keeps_key(machine, before, current, key, at):
            how = "call"
        else:
            current, at = _where_handed_over(before, current, at)
            in_object = True
    earlier = dict(reversed(before.chain)).get(current.scope.uid, before.chain[0][1])
    again = how == "again"
    drawn = now.certain or meant_reuses.is_reported_presumed(key, current, how, loop)
    if not drawn or (before.skipped and not (again and may_both_run(current, at, earlier, inside))):
        return None
    in_loop = any(caller.flow.loops for caller in current.callers())
    current, at, earlier = _where_parted(before, inside, (current, at, earlier), in_loop, how)
    origin: Origin | None = None
    if how in ("comprehension", "vmap") or not (before.certain and now.certain):
        origin = Origin(
            frame.module, frame.unit, node.start, node.end, "the key", meant_reuses.UNSEEN_USE
        )
    aval = value.aval if isinstance(value, Array) else UNKNOWN_ARRAY
    value = Array(aval, Place.ANY, min(key.level, current.level), origin)
    if how == "again" and meant_reuses.exclude_each_other(current, at, earlier):
        return None
    first, root = location_of(earlier), before.root or earlier
    root = (now.splits and current is frame and use_before_heirs(machine, key)) or root
    # A draw itself makes no parameters: only what calls it can be made twice on purpose.
    called = earlier if current is not frame or not now.certain else None
    held = _held_by(machine, current, key)
    uses = earlier, current.site(at)
    evidence = meant_reuses.evidence_of(current, at, first, called)
    evidence = evidence or meant_reuses.evidence_unread(machine, current, uses, held)
    doubt = doubt or meant_reuses.HELD_UNSEEN * is_held(key)
    doubt = meant_reuses.CONSTANT if is_constant(key) and current is frame else doubt
    doubt = SKIPPED * before.skipped or doubt
    doubt = meant_reuses.EVIDENT if evidence else doubt
    outer = next((t for t in traces(frame.trace) if t.level > key.level and t.label == loop), None)
    if outer is not None and outer.kind == "while_loop" and not doubt:
        doubt = meant_reuses.ENDS_AT_ONCE * meant_reuses.may_end_at_once(frame, outer.level)
    machine.emit(
        KeyReuse,
        current,
        at,
        value,
        at if current is not frame else place,
        doubt,
        first=first,
        how="loop" if how == "again" and in_loop and earlier == current.site(at) else how,
        loop=loop,
        evidence=evidence,
        in_object=in_object,
        constant=is_constant(key),
        names=frozenset((*held, *([frame.text(place)] if current is frame else ()))),
        several=any(holds_several(machine, each) for each in held.values()),
        root=location_of(root),
    )
    return root


def _held_by(machine: Machine, frame: Frame, key: KeyIdentity) -> dict[str, Value]:
    """The variables of a frame that hold a key, or those of which a traced function gets it."""
    scope, store, entry = frame.scope, machine.store, frame.flow.entry
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    if entry is None or frame.called.function is None or scope is not frame.scope:
        values = {name: store.get((scope, name)) or UNKNOWN for name in store.names_of(scope)}
    else:
        # What a function has bound was written since it was entered: a small part of all cells.
        written = store.since(entry)
        values = {name: value for (owner, name), value in written.items() if owner is scope}
    own = {name: KEY.of(value) for name, value in values.items()}
    return {name: values[name] for name, held in own.items() if held and KEY.is_same(held, key)}


def _where_handed_over(
    before: Consumption, frame: Frame, node: nodes.Node
) -> tuple[Frame, nodes.Node]:
    """The caller that hands a key over twice, in a container, and where it does, or again in each
    iteration of a loop of its own; else the frame itself, for one call that runs several times.
    """
    at = node
    first = dict(reversed(before.chain))
    for caller in frame.callers():
        if caller.scope.uid in first:
            again = any(c.flow.loops for c in frame.callers() if c.scope is caller.scope)
            once = first[caller.scope.uid] == caller.site(at) and not again
            return (frame, node) if once else (caller, at)
        if is_definition(caller):
            break
        if caller.called.site is not None:
            at = nodes.Pass(caller.called.site.start, caller.called.site.end)
    return frame, node


def _where_parted(
    before: Consumption,
    inside: Sequence[tuple[Frame, nodes.Node]],
    seen: tuple[Frame, nodes.Node, Site],
    in_loop: bool,
    how: str,
) -> tuple[Frame, nodes.Node, Site]:
    """Where two uses part of which a frame sees one call, of what runs a function over and over."""
    frame, node, earlier = seen
    if how != "again" or in_loop or frame.site(node) != earlier:
        return seen
    pairs = [*zip(inside, before.chain, strict=False)]
    for (caller, at), (_, earlier) in reversed(pairs):
        if caller.site(at) != earlier and caller.unit is earlier.unit:
            return caller, at, earlier
    return seen


def _takes(machine: Machine, frame: Frame, key: KeyIdentity) -> bool:
    """Whether the key is an argument of the function that a frame runs."""
    if frame.called.function is None:
        return False
    if frame.called.site is None:
        # The frame of a trace stands between a function and its caller.
        return True
    for parameter in frame.called.function.definition.parameters.items:
        held = machine.store.get((frame.scope, parameter.name))
        own = None if held is None else KEY.of(held)
        if own is not None and own.owner is key.owner:
            return True
    return False


def _takes_around(machine: Machine, frame: Frame, key: KeyIdentity) -> bool:
    """Whether the key is an argument of a running function in which the frame's is defined, and
    does not reach the frame's in a container, as it reaches a loop in its carry.
    """
    if frame.called.function is None:
        return False
    definition = frame.called.function.definition
    for parameter in definition.parameters.items:
        held = machine.store.get((frame.scope, parameter.name)) or UNKNOWN
        for leaf in leaves_of(machine, held, frame, definition)[0]:
            own = KEY.of(leaf)
            if own is not None and own.owner is key.owner:
                return False
    scope = frame.called.function.scope
    while scope.kind != "module" and scope.parent is not None:
        for caller in frame.callers():
            if caller.scope is scope and caller.called.site is not None:
                if _takes(machine, caller, key):
                    return True
                break
        scope = scope.parent
    return False


def _make_layer(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes that a layer draws its parameters by a key."""
    key = arguments.keywords.get("key")
    if key is not None and draws_parameters(function.path):
        consume_key(machine, key, frame, node, arguments.place(-1, "key", node))


def _call_layer(
    machine: Machine, layer: LibraryObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes that a layer draws its masks by a key."""
    key = arguments.keywords.get("key") if draws_masks(layer.path) else None
    if key is not None and arguments.keywords.get("inference", FALSE) in (FALSE, NONE):
        consume_key(machine, key, frame, node, arguments.place(-1, "key", node))


GUEST = Guest(
    "reused_keys",
    Moments(
        library_call=(_make_layer,),
        public_arguments=(_consume_keys,),
        recalled=(_is_alike,),
        public_result=(_name_result,),
        layer_called=(_call_layer,),
    ),
)
