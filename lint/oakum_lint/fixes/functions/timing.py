"""Timings in fixes: the result is waited for before the clock is read."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.scopes import names_of, own_function
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.editing.values import is_array_method
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import blocks, bound_by, names_in, walk
from oakum_lint.models import dotted
from oakum_lint.models.errors import EXPECTING_NAMES
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

_LAMBDA: Final = "<lambda>"
"""What is said of a function that has no name."""


def wait_before_clock(site: Site, computes: str) -> Fix | None:
    """Waits for the last result that was computed before the later of the two times was taken, by a
    function of some name.
    """
    spelling = spell(site, dotted.BLOCK_UNTIL_READY)
    if spelling is None:
        return None
    title = f"Wait with `{spelling.text}`"
    match site.node:
        case nodes.Call(arguments=(nodes.Lambda(body=nodes.Call() as call), *_)):
            if not (_returns_result(site, call, computes) or is_array_method(site, call)):
                return None
            edit = site.replace(call, f"{spelling.text}({site.text(call)})")
            return make_fix(title, [edit, *spelling.edits], Safety.SAFE)
        case _:
            pass
    clock, reading = _reading(site)
    before = _before(reading, computes)
    if not isinstance(clock, nodes.Call) or clock.arguments:
        # The result is timed by another function.
        return None
    if before is None or not reading.is_alone(reading.statement):
        return None
    safety = Safety.SAFE
    match _last(before, computes):
        case [nodes.Assignment(targets=(target,)), *_] as ends if _all_make(before, target, ends):
            shown = _waited_for(before, target)
            if not (_is_reached(before.statement) or _is_bound_before(before, target)):
                safety = Safety.UNSAFE
            edit = reading.line_before(reading.statement, f"{spelling.text}({shown})")
        case [nodes.ExpressionStatement(value=nodes.Call() as call)] if _returns_result(
            before, call, computes
        ):
            text = f"{spelling.text}({before.text(call)})"
            edit = before.replace(call, text)
        case _:
            return None
    return make_fix(title, [edit, *spelling.edits], safety)


def _reading(site: Site) -> tuple[nodes.Node, Site]:
    """The reading of the clock that is flagged, or that made the later time of a difference."""
    match site.node:
        case nodes.BinaryOperation(operator="-", left=nodes.Name(identifier=name)):
            for before in reversed(site.at_statement().sites_before()):
                match before.statement:
                    case nodes.Assignment(
                        targets=(nodes.Name(identifier=bound),), value=nodes.Call() as clock
                    ) if bound == name:
                        return (clock if _reads_clock(before) else site.node), before
                    case _:
                        pass
        case _:
            pass
    return site.node, site.at_statement()


def _returns_result(site: Site, call: nodes.Call, computes: str) -> bool:
    """Whether a call is that of the function which computes, of what a transform makes of it, or of
    one that is passed: what else calls it may return nothing.
    """
    called, function = site.text(call.function), own_function(site)
    name = computes.rpartition(".")[2]
    if called.rpartition(".")[2] == name or name in _passed_to_make(site, called):
        return True
    return function is not None and called in (item.name for item in function.parameters.items)


def _passed_to_make(site: Site, name: str) -> frozenset[str]:
    """The names of what a function is made of by one call, `step = jax.jit(train_step)`, in the
    function of the site, or outside of functions.
    """
    around = own_function(site)
    is_local = around is not None and name in names_of(around).bound
    bodies = (around.body,) if around and is_local else (unit.body for unit in site.module.units)
    made = [
        node
        for body in bodies
        for node in walk(*body, into=False)
        if isinstance(node, nodes.Assignment) and name in bound_by(node)
    ]
    match made:
        case [nodes.Assignment(targets=(nodes.Name(),), value=nodes.Call(arguments=arguments))]:
            named = names_in(*arguments)
            is_lambda = any(isinstance(each, nodes.Lambda) for each in arguments)
            return named | {_LAMBDA} if is_lambda else named
        case _:
            return frozenset()


def is_timed(site: Site) -> bool:
    """Whether the clock is read just before the statement of the site."""
    return before_clock(site.at_statement()).statement is not site.statement


def before_clock(statement: Site) -> Site:
    """The statement before which a line has to stand that is not to be timed with another one."""
    before = statement.sites_before()
    return before[-1] if before and _reads_clock(before[-1]) else statement


def _reads_clock(site: Site) -> bool:
    match site.statement:
        case nodes.Assignment(value=nodes.Call() as call):
            facts = builtin_facts(meaning(site, call.function))
            return facts is not None and facts.effect == "clock"
        case _:
            return False


def _before(reading: Site, computes: str) -> Site | None:
    """The statement before one, or before the choice of which that is the first; or the one above
    it, since the clock was read, that calls what computes.
    """
    while True:
        before = reading.sites_before()
        if before:
            since = [*takewhile(lambda each: not _reads_clock(each), reversed(before))][::-1]
            return (since or before)[
                _computing(reading, [each.statement for each in since or before], computes)
            ]
        match reading.parent:
            case nodes.If() as choice if reading.statement in choice.body[:1]:
                reading = Site(reading.module, reading.unit, reading.way[:-1])
            case _:
                return None


def _computing(site: Site, block: Sequence[nodes.Statement], computes: str) -> int:
    """Which statement of a block binds what a function of some name computes, or what one call has
    made of it, if nothing behind it binds that again; else the last one.
    """
    name = computes.rpartition(".")[2]
    calling = [
        (place, statement, called)
        for place, statement in enumerate(block)
        if isinstance(statement, nodes.Assignment)
        if (called := [*_called_in(statement.value)])
    ]
    # What is called otherwise, as `jitted_step`, may be another function.
    own = (
        [each for each in calling if name in each[2]]
        or [c for c in calling if any(name in _passed_to_make(site, each) for each in c[2])]
        or [c for c in calling if any(name in each for each in c[2])]
    )
    if own:
        place, made, _ = own[-1]
        bound = bound_by(made) - {"_"}
        if bound and bound.isdisjoint(bound_by(*block[place + 1 :])):
            return place
    return len(block) - 1


def _called_in(value: nodes.Node) -> Iterator[str]:
    """The names of the functions that are called in a value."""
    for node in walk(value):
        match node:
            case nodes.Call(
                function=nodes.Name(identifier=called) | nodes.Attribute(attribute=called)
            ):
                yield called
            case _:
                pass


def _all_make(site: Site, target: nodes.Expression, ends: Sequence[nodes.Statement]) -> bool:
    """Whether each of some statements computes the same variables."""
    return all(
        isinstance(end, nodes.Assignment)
        and [*map(site.text, end.targets)] == [site.text(target)]
        and _is_computed(target, end.value)
        for end in ends
    )


def _is_reached(statement: nodes.Statement) -> bool:
    """Whether the statements that one ends with run whenever it ends: a loop may be empty, and a
    `with` that expects an exception may end at one.
    """
    pending = [statement]
    while pending:
        match pending.pop():
            case nodes.For(iterable=iterable, body=body):
                leaves = any(isinstance(n, nodes.Break | nodes.Continue) for n in walk(*body))
                if leaves or not _has_items(iterable):
                    return False
                pending.append(body[-1])
            case nodes.While():
                return False
            case nodes.With(items=items, body=body):
                if any(called in EXPECTING_NAMES for i in items for called in _called_in(i)):
                    return False
                pending.append(body[-1])
            case nodes.If(body=body, orelse=orelse):
                pending += (orelse[-1], body[-1])
            case _:
                pass
    return True


def _has_items(iterable: nodes.Expression) -> bool:
    """Whether what a loop goes over is written so that it has an item."""
    match iterable:
        case nodes.Display(elements=elements):
            return any(not isinstance(each, nodes.Starred) for each in elements)
        case nodes.Call(
            function=nodes.Name(identifier="range"),
            arguments=(nodes.Constant(value=int() as stop),),
        ):
            return stop > 0
        case _:
            return False


def _is_bound_before(site: Site, target: nodes.Expression) -> bool:
    """Whether a name is bound before the statement of the site, whichever way leads there."""
    if not isinstance(target, nodes.Name):
        return False
    function = own_function(site)
    if function and target.identifier in (each.name for each in function.parameters.items):
        return True
    return any(
        isinstance(before.statement, nodes.Assignment)
        and target.identifier in bound_by(before.statement)
        for before in site.sites_before()
    )


def _waited_for(site: Site, target: nodes.Expression) -> str:
    """What is waited for: of a tuple, and tuples in it, all names and attributes."""
    if isinstance(target, nodes.Display):
        parts = list[str]()
        pending: list[nodes.Expression] = [target]
        while pending:
            match pending.pop():
                case nodes.Display(elements=elements):
                    pending += elements[::-1]
                case part:
                    parts.append(site.text(part))
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return argument_text(site, target)


def _is_computed(target: nodes.Expression, value: nodes.Expression) -> bool:
    """Whether names, an attribute or an item are bound to the result of a call."""
    match target:
        case nodes.Name() | nodes.Attribute(value=nodes.Name()):
            is_plain = True
        case nodes.Subscript(value=nodes.Name(), index=nodes.Constant() | nodes.Name()):
            is_plain = True
        case nodes.Display():
            is_plain = all(
                isinstance(node, nodes.Name | nodes.Attribute)
                or (isinstance(node, nodes.Display) and node.kind == "tuple" and node.elements)
                for node in walk(target)
            )
        case _:
            is_plain = False
    return is_plain and any(isinstance(part, nodes.Call) for part in walk(value))


def _last(site: Site, computes: str) -> list[nodes.Statement]:
    """The simple statements that the one of the site ends with, or which compute there: that of a
    loop or a `with`, and one of each arm of a choice; none where that is not known.
    """
    found: list[nodes.Statement] = []
    pending = [site.statement]
    while pending:
        match pending.pop():
            case nodes.For(body=body) | nodes.While(body=body) | nodes.With(body=body):
                pending.append(body[_computing(site, body, computes)])
            case nodes.If(body=body, orelse=orelse) if orelse:
                pending += (orelse[-1], body[-1])
            case simple if not blocks(simple):
                found.append(simple)
            case _:
                return []
    return found
