"""Loops in fixes: `jax.lax.fori_loop` and `jax.lax.while_loop` in the place of `for` and `while`.

The text of the loop's body stays as it is and becomes the body of a function, between a line that
takes the carry apart and one that returns it. The carry are the names that an iteration hands on.

A loop has no such fix where its body does more than to bind names: where it leaves the loop or the
function, changes an object, or has a name that may have no value yet. The rules ask for none where
a gradient is taken, which cannot go backwards through a loop without a fixed number of iterations.
"""

from collections.abc import Sequence

from oakum.values.records import dataclass
from oakum_lint.fixes.editing.comments import LONGEST_LINE, comments_of
from oakum_lint.fixes.editing.expressions import operand_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.editing.values import is_truth
from oakum_lint.fixes.site import Site, line_start, line_stop
from oakum_lint.fixes.tree import bound_at, bound_by, names_in, walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix
from oakum_lint.text.lexer import tokens


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop that can become a function: where it is, what it hands on, how it is indented."""

    site: Site
    node: nodes.For | nodes.While
    carry: tuple[str, ...]
    indent: str
    inner: str

    @property
    def state(self) -> str:
        """The name of the carry within a function of it."""
        return self.carry[0] if len(self.carry) == 1 else "carry"

    @property
    def listed(self) -> str:
        """The names of the carry, as a target and as a result."""
        return ", ".join(self.carry)

    @property
    def start(self) -> str:
        """The names of the carry, as an argument."""
        return self.carry[0] if len(self.carry) == 1 else f"({self.listed})"

    def unpacking(self) -> list[str]:
        """The line that takes the carry apart, if it is several names."""
        return [] if len(self.carry) == 1 else [f"{self.inner}{self.listed} = carry"]

    @property
    def first(self) -> int:
        """Where the lines of the body begin; comments below the header are of the body too."""
        text = self.site.unit.text
        header = line_stop(text, _colon(text, self.node))
        after = header + len(self.site.line_end)
        return min(line_start(text, self.node.body[0].start), after)

    def body(self) -> str:
        """The lines of the body, as they are."""
        text = self.site.unit.text
        return text[self.first : line_stop(text, self.node.end)]

    def name(self, *wanted: str) -> str | None:
        """The first of some names that the function around the loop does not use."""
        function = own_function(self.site)
        assert function is not None
        used = names_in(*function.body) | bound_by(*function.body) | {self.state}
        used |= {parameter.name for parameter in function.parameters.items}
        return next((name for name in wanted if name not in used), None)


def fori_loop(site: Site) -> Fix | None:
    """The loop over `range(...)` in whose bounds the site is, as a `fori_loop`."""
    node = next((n for n in reversed(site.way) if isinstance(n, nodes.For)), None)
    if node is None or node.is_async or not _is_within(site.node, node.iterable):
        return None
    match node.iterable:
        case nodes.Call(function=nodes.Name(identifier="range"), arguments=bounds, keywords=()):
            pass
        case _:
            return None
    if not 1 <= len(bounds) <= 2 or not isinstance(node.target, nodes.Name):
        return None
    loop = _loop(site, node)
    logic = Logic(site)
    counter = node.target.identifier
    if loop is None or counter in loop.carry or _is_read_behind(site, node, counter):
        return None
    body = loop.name("body", "loop_body", "loop_iteration")
    texts = ["0"] * (2 - len(bounds)) + [site.text(bound) for bound in bounds]
    call = body and logic.call(dotted.FORI_LOOP, *texts, body, loop.start)
    if not call:
        return None
    lines = [
        f"{loop.indent}def {body}({counter}, {loop.state}):",
        *loop.unpacking(),
        loop.body(),
        f"{loop.inner}return {loop.listed}",
    ]
    return _fix(loop, lines, call, logic)


def _is_within(node: nodes.Node, around: nodes.Node) -> bool:
    return around.start <= node.start <= node.end <= around.end


def while_loop(site: Site) -> Fix | None:
    """The loop whose test the site is in, as a `while_loop`."""
    node = next((n for n in reversed(site.way) if isinstance(n, nodes.While)), None)
    if node is None or not _is_within(site.node, node.test):
        return None
    loop = _loop(site, node)
    if loop is None or not _only_binds_in(node.test):
        return None
    logic = Logic(site)
    test = _condition(logic, node.test)
    condition = loop.name("condition", "goes_on", "is_unfinished")
    body = loop.name("body", "loop_body", "loop_iteration")
    call = condition and body and logic.call(dotted.WHILE_LOOP, condition, body, loop.start)
    if test is None or not call:
        return None
    lines = [
        f"{loop.indent}def {condition}({loop.state}):",
        *loop.unpacking(),
        f"{loop.inner}return {test}",
        "",
        f"{loop.indent}def {body}({loop.state}):",
        *loop.unpacking(),
        loop.body(),
        f"{loop.inner}return {loop.listed}",
    ]
    return _fix(loop, lines, call, logic)


def _condition(logic: Logic, test: nodes.Expression) -> str | None:
    """The text of a test as the one truth value that a condition of JAX has to return."""
    site = logic.site
    text = logic.test(test)
    if text is not None and not is_truth(site, test):
        text = f"{operand_text(site, test)} != 0" if text == site.text(test) else text
    return f"({text})" if text and "\n" in text else text


def _fix(loop: _Loop, functions: Sequence[str], call: str, logic: Logic) -> Fix:
    """Puts the functions and the call in the place of the loop; comments of its header stay."""
    site, node = loop.site, loop.node
    text = site.unit.text
    start = line_start(text, node.start)
    header = _header(node)
    copied = (header,) if any(site.text(header) in line for line in (call, *functions)) else ()
    comments = comments_of(site, node.start, loop.first, copied)
    last = f"{loop.indent}{loop.listed} = {call}"
    if len(comments) == 1 and len(last) + len(comments[0]) + 2 <= LONGEST_LINE:
        last, comments = f"{last}  {comments[0]}", []
    lines = [*(loop.indent + comment for comment in comments), *functions, "", last]
    before = text[:start].rstrip(" \t\f")
    is_first = not site.before(node) or before.endswith(("\n\n", "\r\r", "\n\r\n"))
    if not is_first:
        lines.insert(0, "")
    edits = [
        site.replace_range(start, line_stop(text, node.end), site.line_end.join(lines)),
        *logic.edits,
    ]
    return make_fix(f"Loop with `{call.partition('(')[0]}`", edits, Safety.UNSAFE)


def _loop(site: Site, node: nodes.For | nodes.While) -> _Loop | None:
    function, indent = own_function(site), site.indent(node)
    inner = site.indent(node.body[0])
    if function is None or indent is None or inner is None or node.orelse:
        return None
    if function not in site.way or site.way.index(function) > site.way.index(node):
        return None
    if not _only_binds_in(*node.body):
        return None
    carry = _carry(site, function, node)
    return _Loop(site, node, carry, indent, inner) if carry else None


def _only_binds_in(*roots: nodes.Node) -> bool:
    return all(_only_binds(node) for node in walk(*roots))


def _only_binds(node: nodes.Node) -> bool:
    """Whether a part of a body does no more than to compute values and bind names to them."""
    match node:
        case nodes.Assignment(targets=targets):
            return all(_is_of_names(target) for target in targets)
        case nodes.AugmentedAssignment(target=target):
            return isinstance(target, nodes.Name)
        case nodes.Call(function=nodes.Attribute(attribute="append" | "extend" | "update")):
            return False
        case nodes.FunctionDefinition() | nodes.ClassDefinition() | nodes.ScopeDeclaration():
            return False
        case nodes.Return() | nodes.Break() | nodes.Continue() | nodes.Raise() | nodes.Delete():
            return False
        case nodes.Yield() | nodes.Await() | nodes.With() | nodes.Try() | nodes.NamedExpression():
            return False
        case _:
            return True


def _is_of_names(target: nodes.Expression) -> bool:
    if isinstance(target, nodes.Display):
        return all(_is_of_names(element) for element in target.elements)
    return isinstance(target, nodes.Name)


def _carry(
    site: Site, function: nodes.FunctionDefinition, node: nodes.For | nodes.While
) -> tuple[str, ...]:
    """The names that an iteration hands on, in the order of their binding; empty where one of them
    may have no value before the loop.
    """
    bound = _in_order(node.body)
    parameters = {parameter.name for parameter in function.parameters.items}
    test = names_in(node.test) if isinstance(node, nodes.While) else frozenset[str]()
    carry: list[str] = []
    for name in bound:
        before = name in parameters or any(
            name in bound_at(n) and n.end <= node.start for n in walk(*function.body, into=False)
        )
        handed_on = name in test or _is_read_behind(site, node, name) or _reads_first(node, name)
        if handed_on and not before:
            return ()
        if handed_on:
            carry.append(name)
    return tuple(carry)


def _in_order(body: Sequence[nodes.Statement]) -> list[str]:
    names: dict[str, None] = {}
    for node in walk(*body, into=False):
        if isinstance(node, nodes.Assignment):
            for target in node.targets:
                for part in walk(target):
                    if isinstance(part, nodes.Name):
                        names.setdefault(part.identifier)
        else:
            names.update(dict.fromkeys(sorted(bound_at(node))))
    return list(names)


def _reads_first(node: nodes.For | nodes.While, name: str) -> bool:
    """Whether an iteration may read a name before it binds it."""
    for statement in node.body:
        reads = [
            part
            for part in walk(statement)
            if isinstance(part, nodes.Name) and part.identifier == name
        ]
        binds = name in bound_by(statement)
        if binds and isinstance(statement, nodes.Assignment):
            return any(statement.value.start <= part.start for part in reads)
        if binds or reads:
            return True
    return False


def _is_read_behind(site: Site, node: nodes.For | nodes.While, name: str) -> bool:
    """Whether a name is read behind a loop, or in the next iteration of one around it."""
    function = own_function(site)
    assert function is not None
    outer = [n for n in site.way if isinstance(n, nodes.For | nodes.While) and n is not node]
    return any(
        isinstance(part, nodes.Name)
        and part.identifier == name
        and (
            part.start >= node.end
            or any(o.start <= part.start < o.end and part.start < node.start for o in outer)
        )
        for part in walk(*function.body)
    )


def _colon(text: str, node: nodes.For | nodes.While) -> int:
    """Where the colon behind the header of a loop stands, which may have lines of its own."""
    start = _header(node).end
    behind = text[start : node.body[0].start]
    comments = [(a, b) for kind, a, b in tokens(behind) if kind == "comment"]
    return start + next(
        place
        for place, character in enumerate(behind)
        if character == ":" and not any(a <= place < b for a, b in comments)
    )


def _header(node: nodes.For | nodes.While) -> nodes.Expression:
    return node.iterable if isinstance(node, nodes.For) else node.test
