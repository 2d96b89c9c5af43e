"""What safe fixes depend on beside their place: that the code fails wherever it is seen to run.

What stands for a use of a traced value is something else for a number of Python or an array of
NumPy: `jnp.where` returns an array where `if` returned what was there. So a fix is only safe where
no run of the function around it gets past what is fixed. Which runs there are is known when all of
a program was followed: until then a fix holds what that is asked with.

A function that other projects may call is taken as it is used here: who checks a library checks its
tests too, or knows that what failed under `jit` returns arrays now.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_at, walk
from oakum_lint.models.mutation import LISTS_MEMBERS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.text.edits import FunctionName, Premise
from oakum_lint.text.names import calls_by_text, has_word
from oakum_lint.text.source import Source
from oakum_lint.text.triggers import imports_by_name


def premise_of(site: Site, name_at: Callable[[UnitFacts, int], FunctionName]) -> Premise | None:
    """What a fix at a site depends on; None where it stands in no function."""
    if not site.functions:
        return None
    function = site.functions[0]
    place = site.way.index(function)
    around = site.way[place - 1] if place else None
    title, words = "this function", ()
    match function, around:
        case nodes.FunctionDefinition(name=name), nodes.ClassDefinition(name=cls):
            title = f"`{cls}.{name}`"
            is_special = name.startswith("__") and name.endswith("__")
            words = (cls if is_special else name,)
        case nodes.FunctionDefinition(name=name), _:
            title, words = f"`{name}`", (name,)
        case _, nodes.Assignment(targets=targets):
            names = [target.identifier for target in targets if isinstance(target, nodes.Name)]
            title, words = "this lambda", tuple(names)
        case _:
            title = "this lambda"
    is_own = any(isinstance(node, nodes.FunctionDefinition) for node in site.way[:place])
    name = name_at(site.unit, function.start)
    return Premise(name, title, () if is_own else words)


def refutation(
    premise: Premise,
    is_working: Callable[[FunctionName], bool],
    unfollowed: Callable[[], Iterable[UnitFacts]],
    statements: Callable[[], Iterable[UnitFacts]],
    tree: Callable[[UnitFacts], Sequence[nodes.Node]],
) -> str:
    """Why a fix is not safe whose premise this is, or "". `is_working` says of a function whether a
    run of it gets past what fails, `unfollowed` which `statements` nothing was followed of, and
    `tree` has their nodes: many fixes ask.
    """
    if is_working(premise.function):
        return f"{premise.title} is also called where this works"
    words = premise.words
    if any(_names(tree(unit), words) for unit in unfollowed() if _says(unit, words)) or any(
        _finds(unit, words, tree) for unit in statements()
    ):
        return f"{premise.title} may also be called where this works"
    return ""


def _finds(
    unit: UnitFacts, words: Collection[str], tree: Callable[[UnitFacts], Sequence[nodes.Node]]
) -> bool:
    """Whether statements come by one of some functions in a way that is not followed: by its name
    in a text, as that of an item, of what a method returns or of a module that is imported by its
    name, or among all that a module holds.
    """
    if words and LISTS_MEMBERS in unit.raw:
        return True
    if not _says(unit, words):
        return False
    loads = words and imports_by_name(unit.module.source.text)
    return any(
        (isinstance(node, nodes.Constant) and calls_by_text(node.value, words))
        or (
            isinstance(node, nodes.Attribute)
            and node.attribute in words
            and (
                loads
                or isinstance(node.value, nodes.Subscript)
                or (
                    isinstance(node.value, nodes.Call)
                    and not isinstance(node.value.function, nodes.Name)
                )
            )
        )
        for node in tree(unit)
    )


def _says(unit: UnitFacts, words: Collection[str]) -> bool:
    """Whether one of some words stands in statements."""
    return any(word in unit.raw and has_word(unit.raw, word) for word in words)


def tree_of(unit: UnitFacts) -> Sequence[nodes.Node]:
    """All nodes of statements."""
    if unit.is_parsed:
        return [*walk(*unit.body)]
    # They are lowered apart: what a run has read of a file stays what it is.
    apart = ModuleFacts(Source.from_text(unit.raw))
    return [*walk(*(statement for each in apart.units for statement in each.body))]


def _names(tree: Sequence[nodes.Node], words: Collection[str]) -> bool:
    """Whether statements name one of some functions, by what is no variable of their own."""
    own = {name for node in tree for name in _bound_by(node)}
    return any(
        (isinstance(node, nodes.Name) and node.identifier in words and node.identifier not in own)
        or (isinstance(node, nodes.Attribute) and node.attribute in words)
        for node in tree
    )


def _bound_by(node: nodes.Node) -> frozenset[str]:
    match node:
        case nodes.Import() | nodes.ImportFrom():
            return frozenset()
        case nodes.Parameter(name=name):
            return frozenset((name,))
        case _:
            return bound_at(node)
