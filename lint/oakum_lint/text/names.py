"""Names in code, by its text alone: which stand in it, and what it does with one."""

import fnmatch
import functools
import re
from collections.abc import Collection, Iterable
from typing import Final

IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")
VARIABLE: Final = re.compile(r"(?<![\w.])[^\W\d]\w*")
"""A name that is no attribute."""
READ_VARIABLE: Final = re.compile(r"(?<![\w.])[^\W\d]\w*+(?!\s*=(?!=))")
"""A name that is no attribute, and not assigned there."""
DATA_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?!\w|\.|\s*\()")
"""A dotted name that is not called."""
OBJECT: Final = re.compile(r"(?<![\w.])([^\W\d]\w*)\s*[.\[(]")
"""A name with an attribute or an item, or that is called."""

DECORATOR: Final = re.compile(r"^@([^\W\d]\w*)", re.MULTILINE)
"""The first name of a decorator of what begins a line."""

SAYS_GLOBAL: Final = re.compile(r"\bglobal\b")
SAYS_NONLOCAL: Final = re.compile(r"\bnonlocal\b")
DECLARES_SCOPE: Final = re.compile(r"\b(?:global|nonlocal)\b")
SAYS_RANGE: Final = re.compile(r"\brange\b")

KEEPS_OFF_EDGES: Final = re.compile(r"\b(?:where|select|clip|maximum|minimum|nan_to_num)\(")
"""What selects or bounds, mostly around the edge of a function's domain."""
HAS_EDGE: Final = re.compile(
    r"[^/]/[^/]|\b(?:sqrt|rsqrt|log\d*|log1p|norm|arc\w+|acos|asin|power|float_power)\(|\*\*"
)
"""Operations with an edge of their domain, where a derivative is infinite."""
MASKS_NAN: Final = re.compile(r"\bisnan\(")
"""A test of NaN, by which something is selected, mostly."""
HAS_SMALL: Final = re.compile(r"\d\.?e-\d|\b_?eps", re.IGNORECASE)
"""A small number, or what may be one, which is added to keep something off an edge."""
HAS_LIMITS: Final = re.compile(r"\b(?:exp\w*|sigmoid|logistic|softmax|tanh|erfc?)\(")
"""What floating point rounds to a limit, far from zero."""
HAS_EXPONENTIAL: Final = re.compile(r"\bexp2?\b")
"""What overflows."""
LOG_PROBABILITY: Final = re.compile(r"\w*log_?prob(s|abilit(y|ies))?")
"""What logarithms of probabilities are called: none is above zero, and one is not far below."""
MEETS_ITSELF: Final = re.compile(
    r"\b(\w+)(?:\[[^\[\]]*\] - \1\b| - \1\[)"
    r"|(?:\[[^\[\]]*\b(?:None|newaxis)\b|\bexpand_dims\()(?s:.*)(?:\[[^\[\]]*\b(?:None|newaxis)\b|\bexpand_dims\()"
)
"""A difference of the elements of one array: each from itself, too; or arrays of which each element
meets all of another.
"""
MAPS_TWICE: Final = re.compile(r"\bvmap\((?s:.*)\bvmap\(")
"""What two maps go over: each row of the one meets all of the other."""
KEEPS_DERIVATIVES: Final = re.compile(
    r"\b(?:filter_)?(?:jit|vmap|pmap|checkpoint|remat|vectorize)\b"
)
"""The transforms that compile, map or trace once more, as they are mostly spelled: derivatives go
through what they make of a function.
"""
TAKES_DERIVATIVES: Final = re.compile(
    r"\b(?:filter_)?(?:grad|value_and_grad|jacfwd|jacrev|jacobian|hessian|jvp|vjp|linearize)\b"
)
"""The transforms that take derivatives, as they are mostly spelled."""
PRIVATE_CALL: Final = re.compile(r"(?<![\w.])(_\w+)\(")
"""A call of a private function."""
CALLED_OR_PASSED: Final = re.compile(r"(?<![\w.])([^\W\d]\w*)(?=\(|\s*[,)])")
"""A name that is called, or passed to what may call it."""

EQUALS: Final = re.compile(r"\s*(?:\*\*|//|<<|>>|[-+*/%@&|^])?=\s*")
"""What stands between a target and what it is assigned."""

_BINDING = r"\b{0}\s*(?:,[^=\n]*)?[-+*/%@&|^<>]*=(?!=)|\bfor\b[^:\n]*\b{0}\b[^:\n]*\bin\b"


def binds(text: str, name: str) -> bool:
    """Whether code seems to bind a name.

    >>> binds("for i, x in items: pass", "x"), binds("x == 1", "x")
    (True, False)
    """
    return re.search(_BINDING.format(name), text) is not None


def declares_global(text: str, name: str) -> bool:
    """Whether a function in the code declares a name as global."""
    pattern = rf"(?<![^\r\n])\s*global\b[^\r\n]*\b{re.escape(name)}\b"
    return re.search(pattern, text) is not None


def only_grows(text: str, name: str) -> bool:
    """Whether code appends to a list of that name in a statement, and never takes from it.

    >>> only_grows("kept.append(x)", "kept"), only_grows("kept.append(x)\\nkept.pop()", "kept")
    (True, False)
    """
    word = re.escape(name)
    adds = re.search(rf"(?<![^\r\n])[ \t]*{word}\.append\(", text)
    shrinks = re.search(rf"\b{word}(?:\[[^\]]*\])?\s*=(?!=)|\b{word}\.(?:pop|clear|remove)\(", text)
    return adds is not None and shrinks is None


def uses_as_array(text: str, name: str) -> bool:
    """Whether code does with a name what only an array can take.

    >>> uses_as_array("mask[..., None]", "mask"), uses_as_array("sizes[:, 0]", "sizes")
    (True, True)
    >>> uses_as_array("sizes[0] + sizes[1:]", "sizes"), uses_as_array("self.mask.sum()", "mask")
    (False, False)
    """
    index = r"\[(?:\.\.\.|:|None|\w+\.newaxis)\s*,"
    method = r"\.at\[|\.(?:astype|reshape|sum|mean|transpose|ravel|flatten)\("
    return re.search(rf"(?<![\w.]){re.escape(name)}(?:{index}|{method})", text) is not None


def makes_hashable(text: str, name: str) -> bool:
    """Whether code assigns a tuple, a set, a number or a frozen dict, made for it, to a name, or
    freezes what has the name.

    >>> makes_hashable("shape = tuple(shape)", "shape"), makes_hashable("shape = [1]", "shape")
    (True, False)
    >>> makes_hashable("step(x, flax.core.freeze(options))", "options")
    True
    """
    word, frozen = re.escape(name), r"(?:freeze|FrozenDict)"
    made = rf"\b{word}\s*=\s*(?:tuple|frozenset|float|int|str|(?:\w+\.)*{frozen})\("
    pattern = rf"{made}|\b{frozen}\({word}\b"
    return re.search(pattern, text) is not None


def stored_attributes(text: str, names: Collection[str]) -> list[str]:
    """The assignments to attributes of these names in code, by the target.

    >>> stored_attributes("self.x = 1; self.y += 2; z.x == 3", ["x", "y"])
    ['.x =', '.y +=']
    """
    if not names:
        return []
    return re.findall(rf"\.(?:{'|'.join(names)})\s*(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)", text)


def names_module(text: str, spelled: str) -> bool:
    """Whether code uses a dotted name, other than to import it under another.

    >>> names_module("import jax.numpy as jnp", "jax.numpy"), names_module("jax.jit(f)", "jax")
    (False, True)
    """
    return re.search(rf"\b{re.escape(spelled)}\b(?! as\b)", text) is not None


def has_word(text: str, name: str) -> bool:
    """Whether a name stands anywhere in code."""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def decides_on(text: str, name: str) -> bool:
    """Whether code that defines a function calls it by its name, or gives it derivatives; what it
    only hands on may be called by anything.

    >>> decides_on("def _f(x): pass\\n_f(1)", "_f"), decides_on("f = custom_jvp(_f)", "_f")
    (True, True)
    >>> decides_on("def _f(x): pass\\ncache[n] = partial(_f, n)", "_f")
    False
    """
    word = re.escape(name)
    pattern = (
        rf"(?<!def )\b{word}\s*(?:\(|\.def)|\b(?:custom_\w+|defjvps?|defvjps?)\([^)]*\b{word}\b"
    )
    return re.search(pattern, text) is not None


def count_word(text: str, name: str) -> int:
    """How often a name stands in code.

    >>> count_word("a + ab + a", "a")
    2
    """
    return len(re.findall(rf"\b{name}\b", text))


def any_word(names: Iterable[str]) -> re.Pattern[str]:
    """Compiles the pattern of any of these names in code.

    >>> any_word(["a", "b"]).findall("a.ab + b")
    ['a', 'b']
    """
    # Text is looked through for letters four times as fast as for a boundary before them.
    words = sorted(map(re.escape, names))
    return re.compile("|".join(rf"{word}\b(?<=\b{word})" for word in words))


def member(owner: str, name: str) -> re.Pattern[str]:
    """Compiles the pattern of a member that is read of its owner, by the owner's name.

    >>> member("Linear", "v").findall("Linear.v(w) + NonLinear.v(w) + Linear.value")
    ['Linear.v']
    """
    word = re.escape(owner)
    return re.compile(rf"{word}(?<!\w{word})\.{re.escape(name)}\b")


_SPLIT_IN_PLACE: Final = re.compile(
    r"(?m)^[ \t]*(?P<key>\w+)[ \t]*,[ \t]*(?P<part>\w+)[ \t]*=[ \t]*[\w.]*split\((?P=key)\b"
)
"""A line that replaces a key by a part of its own, and names one other part."""


@functools.lru_cache(maxsize=64)
def _left_split(text: str) -> frozenset[str]:
    """Returns the keys of a unit that are replaced so, and of which no other part is read. Each
    call of unseen code asks of each argument: it took 5% of a check of Flax and Optax.
    """
    parts: dict[str, list[str]] = {}
    for match in _SPLIT_IN_PLACE.finditer(text):
        parts.setdefault(match["key"], []).append(match["part"])
    return frozenset(
        key
        for key, of_key in parts.items()
        if all(part != "_" and count_word(text, part) == of_key.count(part) for part in of_key)
    )


def leaves_split_part(text: str, key: str) -> bool:
    """Whether each split that replaces a key makes a part that is read nowhere in the code.

    >>> leaves_split_part("key, sub = random.split(key)\\nkl(key)", "key")
    True
    >>> leaves_split_part("key, sub = random.split(key)\\nkl(key, sub)", "key")
    False
    """
    return key in _left_split(text)


_KEY: Final = re.compile(
    r"(?<![\w.])(?P<annotated>\w+)\s*:\s*[\w.]*(?:PRNGKey|KeyArray)"
    r"|\b(?:\w*random|jr)\.(?:split|fold_in)\(\s*(?P<split>\w+)\b(?!\s*[.\[(])"
)
"""What is annotated as a random key, or split."""


@functools.lru_cache(maxsize=64)
def _keys_named(text: str) -> frozenset[str]:
    return frozenset(match["annotated"] or match["split"] for match in _KEY.finditer(text))


def names_key(text: str, name: str) -> bool:
    """Whether code annotates what has a name as a random key, or splits it.

    >>> names_key("class State:\\n    rng: chex.PRNGKey", "rng"), names_key("d[rng]", "rng")
    (True, False)
    >>> names_key("jax.random.split(state.rng)", "state")
    False
    """
    return name in _keys_named(text)


def is_derivative_rule(text: str, name: str) -> bool:
    """Whether code makes a function the derivative of another.

    >>> is_derivative_rule("f.defvjp(forward, backward)", "backward")
    True
    """
    return re.search(rf"\.def(?:jvp|vjp)\([^)]*\b{re.escape(name)}\b", text) is not None


def name_pattern(pattern: str) -> re.Pattern[str]:
    """Compiles the pattern of a dotted name, in which `*` stands for any part of one."""
    return re.compile(fnmatch.translate(pattern))


CHOICE_REFUSED: Final = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")
"""What argparse says of a word that is none of its choices, and these."""
OPTION: Final = re.compile(r"--[\w-]+")
HYPHENATED: Final = re.compile(r"[\w-]+")


def calls_by_text(text: object, names: Collection[str]) -> bool:
    """Whether a constant is a text that calls one of some functions, or is its name, as of what is
    looked up by it: of an attribute, of an entry point (`module:name`).

    >>> calls_by_text(">>> f(2)", {"f"}), calls_by_text("lib:f", {"f"})
    (True, True)
    >>> calls_by_text("f is", {"f"})
    False
    """
    if not isinstance(text, str):
        return False
    words = re.findall(r"(?<!\w)([^\W\d]\w*)(\s*\(|\Z)", text)
    is_name = re.fullmatch(r"[\w.:]*", text) is not None
    return any(word in names and (is_name or rest) for word, rest in words)
