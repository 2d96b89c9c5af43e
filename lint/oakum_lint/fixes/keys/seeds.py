"""Seeds of random keys in fixes: a key that a call makes of the same number as another one."""

from itertools import count
from typing import Final

from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.keys.key_parts import passed
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

_MAKERS: Final = frozenset((dotted.KEY, dotted.PRNG_KEY))


def take_another_seed(earlier: Site, site: Site) -> Fix | None:
    """Makes the key that the call gets of another number, where the earlier one gets the same,
    `jax.random.key(0)`: the first that is no seed in the function, or outside of functions in the
    file. Not where both are calls of one function that is none of JAX's: they are compared.
    """
    if not isinstance(earlier.node, nodes.Call) or not isinstance(site.node, nodes.Call):
        return None
    path, function = meaning(site, site.node.function), site.text(site.node.function)
    if not path.startswith(dotted.IN_RANDOM) and function == earlier.text(earlier.node.function):
        # What one function makes of two arguments is compared, for which it gets one seed.
        return None
    before = {earlier.text(each) for each in passed(earlier.node)}
    found = [
        seed
        for each in passed(site.node)
        if site.text(each) in before and (seed := _seed_of(site, each)) is not None
    ]
    if len(found) != 1:
        return None
    around = own_function(site)
    units = site.module.units if around is None else [site.unit]
    taken = {
        seed.value
        for unit in units
        for node in walk(*(unit.body if around is None else around.body))
        if (seed := _seed_of(site, node)) is not None
    }
    assert isinstance(found[0].value, int)
    number = next(each for each in count(found[0].value + 1) if each not in taken)
    edits = [site.replace(found[0], str(number))]
    return make_fix("Make the key of another seed", edits, Safety.UNSAFE)


def makes_key(site: Site, node: nodes.Node) -> bool:
    """Whether a call makes a key of a number that it names."""
    return _seed_of(site, node) is not None


def _seed_of(site: Site, node: nodes.Node) -> nodes.Constant | None:
    """The number that a key is made of at once."""
    match node:
        case nodes.Call(
            function=function, arguments=(nodes.Constant(value=int()) as seed,), keywords=()
        ) if meaning(site, function) in _MAKERS:
            return seed
        case _:
            return None
