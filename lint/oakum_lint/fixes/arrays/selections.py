"""Selections in fixes: both values are computed, and `jnp.where` selects.

A selection is safe where both sides are arrays or numbers by their form, computing them has no
effect, and neither can be infinite: then nothing shows that both were computed. Any other is
unsafe, and a branch that does more than to choose a value has no fix.
"""

from collections.abc import Sequence

from oakum.values.records import dataclass
from oakum_lint.fixes.editing.comments import comments_of
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.values import Form, form_of, is_pure, is_total
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

LONGEST_TEST = 24
"""A longer test that selects several values gets a name of its own."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the values to select from: its text, what it is made of, and what is known of it."""

    text: str
    parts: tuple[nodes.Expression, ...]
    form: Form
    names: frozenset[str] = frozenset()
    """The names that it uses as numbers, beside what its parts show."""


class Selections:
    """Writes selections at a site; knows what they copied, and through `logic` how safe it is."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.logic = Logic(site)
        self.copied: list[nodes.Node] = []

    def test(self, test: nodes.Expression) -> str | None:
        """The text of a test."""
        self.copied.append(test)
        return self.logic.test(test)

    def where(self, test: str, tested: nodes.Expression, first: Side, second: Side) -> str | None:
        """`jnp.where(test, first, second)`, if both can be values of it."""
        parts = (*first.parts, *second.parts)
        self.copied += parts
        items = _items_of(first), _items_of(second)
        if items[0] and len(items[0]) == len(items[1]):
            return self._item_by_item(test, tested, *items)
        if "other" in (first.form, second.form) or not all(map(_is_plain_value, parts)):
            return None
        if _calls_around(self.site, parts):
            return None
        if not all(is_pure(self.site, part) and is_total(self.site, part) for part in parts):
            self.logic.safety = Safety.UNSAFE
        if "tree" in (first.form, second.form):
            if "\n" in first.text + second.text:
                return None  # a call over several lines in a call is for people to lay out
            return self._leaf_by_leaf(test, first.text, second.text)
        used = first.names | second.names | _used_as_numbers(tested, *parts)
        for side in (first, second):
            if side.form == "unknown" and side.text not in used:
                self.logic.safety = Safety.UNSAFE
        return self.logic.call(dotted.WHERE, test, first.text, second.text)

    def _item_by_item(
        self,
        test: str,
        tested: nodes.Expression,
        first: Sequence[nodes.Expression],
        second: Sequence[nodes.Expression],
    ) -> str | None:
        """The selection between tuples: of each item, where the two are not the same."""
        texts: list[str] = []
        if len(test) > LONGEST_TEST:
            return None
        for one, other in zip(first, second, strict=True):
            sides = side_of(self.site, one), side_of(self.site, other)
            is_same = sides[0].text == sides[1].text
            text = sides[0].text if is_same else self.where(test, tested, *sides)
            if text is None:
                return None
            texts.append(text)
        return f"({', '.join(texts)})" if len(texts) > 1 else f"({texts[0]},)"

    def _leaf_by_leaf(self, test: str, first: str, second: str) -> str | None:
        """The selection between trees: of each leaf."""
        self.logic.safety = Safety.UNSAFE
        where = self.logic.call(dotted.WHERE, test, "chosen", "other")
        function = f"lambda chosen, other: {where}"
        return where and self.logic.call(dotted.MAP, function, first, second)


def side_of(site: Site, node: nodes.Expression) -> Side:
    """An expression as a value to select from."""
    return Side(argument_text(site, node), (node,), form_of(site, node))


def _items_of(side: Side) -> tuple[nodes.Expression, ...]:
    """The items of a tuple that is written out."""
    match side.parts:
        case (nodes.Display(kind="tuple", elements=elements),):
            return elements
        case _:
            return ()


def _is_plain_value(node: nodes.Expression) -> bool:
    effects = nodes.Await | nodes.Yield | nodes.NamedExpression | nodes.Starred
    return not any(isinstance(part, effects) for part in walk(node))


def _calls_around(site: Site, parts: Sequence[nodes.Expression]) -> bool:
    """Whether a value calls the function that the site is in, which would not end: both values are
    computed.
    """
    around = {each.name for each in site.functions if isinstance(each, nodes.FunctionDefinition)}
    called = (part.function for part in walk(*parts) if isinstance(part, nodes.Call))
    return any(
        (isinstance(each, nodes.Name) and each.identifier in around)
        or (isinstance(each, nodes.Attribute) and each.attribute in around)
        for each in called
    )


def _used_as_numbers(*roots: nodes.Expression) -> frozenset[str]:
    """The names that arithmetic or a comparison uses."""
    used: set[nodes.Expression] = set()
    for node in walk(*roots):
        match node:
            case nodes.BinaryOperation(left=left, right=right):
                used.update((left, right))
            case nodes.UnaryOperation(operand=operand):
                used.add(operand)
            case nodes.Comparison(left=left, comparators=comparators):
                used.update((left, *comparators))
            case _:
                pass
    return frozenset(node.identifier for node in used if isinstance(node, nodes.Name))


# --- expressions ------------------------------------------------------------------------------


def select_between(site: Site) -> Fix | None:
    """Selects in the place of the conditional expression that the site is the test of."""
    around = site.parent
    if not isinstance(around, nodes.Conditional) or around.test is not site.node:
        return None
    selections = Selections(site)
    test = selections.test(around.test)
    if test is None:
        return None
    sides = side_of(site, around.body), side_of(site, around.orelse)
    text = selections.where(test, around.test, *sides)
    if text is None or comments_of(site, around.start, around.end, selections.copied):
        return None
    start, end = site.with_parentheses(around)
    edits = [site.replace_range(start, end, text), *selections.logic.edits]
    return make_fix("Select with `jnp.where`", edits, selections.logic.safety)


# --- comprehensions ---------------------------------------------------------------------------


def select_in_sum(site: Site) -> Fix | None:
    """Adds zero for what the test of a comprehension leaves out of a sum."""
    if len(site.way) < 4:
        return None
    call, comprehension, clause = site.way[-4:-1]
    match call, comprehension, clause:
        case (
            nodes.Call(function=nodes.Name(identifier="sum"), arguments=(_,), keywords=()),
            nodes.Comprehension(kind="list" | "generator", clauses=(_,)),
            nodes.ComprehensionFor(tests=(test,)),
        ) if test is site.node:
            pass
        case _:
            return None
    selections = Selections(site)
    text = selections.test(test)
    if text is None:
        return None
    zero = Side("0", (), "array")
    text = selections.where(text, test, side_of(site, comprehension.element), zero)
    if text is None:
        return None
    edits = [
        site.replace(comprehension.element, text),
        site.replace_range(clause.iterable.end, clause.end, ""),
        *selections.logic.edits,
    ]
    return make_fix("Add zero for what is left out", edits, selections.logic.safety)
