"""Programs that are broken at random, by seeds: what editors, merges and generators leave.

`mutated(seed, sources)` gives the same text for the same seed and sources. Each ends with a
function whose `if` on a traced value has to be found, unless what stands before it is no longer
Python.
"""

import random
import re
from collections.abc import Callable, Sequence

TRAP = """

import jax as trap_jax


@trap_jax.jit
def trap(x):
    if x > 0:
        return x
    return -x
"""
"""`if` on a traced value: OAK201."""

Mutation = Callable[[random.Random, str], str]

_TOKEN = re.compile(r"\w+|[^\w\s]")
_NAME = re.compile(r"\b[^\W\d]\w*\b")
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")
_OPERATOR = re.compile(r"[-+*/%@<>=!&|^~]+")
_ODD_CHARACTERS = (
    "\0", "\f", "\v", "\x1a", "\x7f", "\x85", "\xa0", "\xad", "\u200b", "\u2028", "\u202e",
    "\ufeff", "\ud800", "\U0001f600", "é", "ｘ", "º", "'", '"', '"""', "\\", "#", "`", "$", "?",
    "!", "{", "]",
)  # fmt: skip
_NUMBERS = (
    "10**40", "1 << 10**9", "0x" + "f" * 300, "9" * 5000, "1e999", "1_000", "0o777", "1j", "-1",
    "10**10**6", "True", "00", "1__0", "0x", "1.e5j", "'x' * 10**12", "[0] * 10**18",
)  # fmt: skip
_KEYWORDS = (
    "if", "else", "for", "while", "def", "class", "lambda", "yield", "await", "async", "return",
    "import", "global", "match", "case", "type", "lazy", "not", "in", "is", "None", "print", "del",
    "with", "as", "except", "try", "finally", "assert", "pass", "break", "nonlocal", "from",
)  # fmt: skip
_STATEMENTS = (
    "lazy import json", "lazy from jax import lax as llax", "type X[T = int] = list[T]",
    "new = {**a for a in b}", "new = [*a for a in b]", "new = t'{a!r:{b}}{c=}'", "del jax",
    "def new[T: (int, str), *A, **P](x: T) -> T: return x", "from jax.numpy import *",
    "x = yield", "await x", "nonlocal jax", "global jnp", "(x := (y := 3))", "@", "...", "return",
    "for i in range(10**40): print(i)", "while True: x = x + 1", "raise", "x[...,:,*a] = 3",
    "try: pass\nexcept A, B: pass", "try: pass\nexcept* A: pass", "class A[T](A): x = A",
    "match x:\n    case {'a': [*b, C(d=1 | 2)], **e} if f: pass", "f'{f'{x}'}'", "jax = jnp = 3",
    "with (a as b, c as d,): pass", "lambda *, a=(yield): a", "jax.jit(jax.jit)(jax.jit)",
    "def jit(f): return jit(f)", "import jax as np, numpy as jax", "assert (a, b), c",
)  # fmt: skip


def _position(rng: random.Random, text: str) -> int:
    return rng.randrange(len(text) + 1)


def _insert(rng: random.Random, text: str, new: str) -> str:
    at = _position(rng, text)
    return text[:at] + new + text[at:]


def _span(rng: random.Random, text: str, pattern: re.Pattern[str]) -> tuple[int, int] | None:
    found = [match.span() for match in pattern.finditer(text)]
    return rng.choice(found) if found else None


def _replace(rng: random.Random, text: str, pattern: re.Pattern[str], new: str) -> str:
    span = _span(rng, text, pattern)
    return text if span is None else text[: span[0]] + new + text[span[1] :]


def _lines(rng: random.Random, text: str, change: Callable[[list[str], int], None]) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        change(lines, rng.randrange(len(lines)))
    return "".join(lines)


def _delete_line(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines) or 1)
    return "".join((*lines[:at], *lines[at + 1 :]))


def _swap_lines(rng: random.Random, text: str) -> str:
    def change(lines: list[str], at: int) -> None:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]

    return _lines(rng, text, change)


def _statement(rng: random.Random, text: str) -> str:
    def change(lines: list[str], at: int) -> None:
        indent = re.match(r"[ \t]*", lines[at])
        blank = "" if indent is None else indent[0]
        statement = rng.choice(_STATEMENTS)
        lines[at:at] = [f"{blank}{line}\n" for line in statement.split("\n")]

    return _lines(rng, text, change)


def _reindent(rng: random.Random, text: str) -> str:
    new = rng.choice(["", " ", "\t", "   ", "        ", "\f", "\t ", " " * 300])

    def change(lines: list[str], at: int) -> None:
        for number in range(at, min(at + rng.randint(1, 5), len(lines))):
            lines[number] = new + lines[number].lstrip(" \t")

    return _lines(rng, text, change)


def _splice(rng: random.Random, text: str) -> str:
    start, end = sorted((_position(rng, text), _position(rng, text)))
    at = _position(rng, text)
    return text[:at] + text[start:end] + text[at:]


def _nest(rng: random.Random, text: str) -> str:
    opening, closing = rng.choice(
        [("(", ")"), ("[", "]"), ("f(", ")"), ("-", ""), ("lambda: ", "")]
    )
    depth = rng.choice([3, 30, 300, 10_000])
    span = _span(rng, text, _NAME)
    if span is None:
        return text
    inner = opening * depth + text[span[0] : span[1]] + closing * depth
    return text[: span[0]] + inner + text[span[1] :]


def _chain(rng: random.Random, text: str) -> str:
    link = rng.choice([".b", "()", "[0]", " + a", " if a else b", " and c", ".at[0].set(1)"])
    return _replace(rng, text, _NAME, "a" + link * rng.choice([5, 100, 700, 10_000]))


def _mixed_ends(rng: random.Random, text: str) -> str:
    return re.sub("\n", lambda _: rng.choice(["\n", "\r\n", "\r"]), text)


def _deep_blocks(rng: random.Random, text: str) -> str:
    depth = rng.choice([5, 50, 99, 150])
    blocks = "".join(f"{' ' * level}if a:\n" for level in range(depth)) + " " * depth + "pass\n"
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines) + 1)
    return "".join((*lines[:at], blocks, *lines[at:]))


MUTATIONS: dict[str, Mutation] = {
    "character deleted": lambda rng, text: text[: (at := _position(rng, text))] + text[at + 1 :],
    "odd character": lambda rng, text: _insert(rng, text, rng.choice(_ODD_CHARACTERS)),
    "character doubled": lambda rng, text: _insert(rng, text, rng.choice(text or "x")),
    "line deleted": _delete_line,
    "line doubled": lambda rng, text: _lines(
        rng, text, lambda lines, at: lines.insert(at, lines[at])
    ),
    "lines swapped": _swap_lines,
    "lines joined": lambda rng, text: _lines(
        rng, text, lambda lines, at: lines.insert(at, lines.pop(at).rstrip("\n") + "; ")
    ),
    "line continued": lambda rng, text: _lines(
        rng, text, lambda lines, at: lines.insert(at, lines.pop(at).rstrip("\n") + " \\\n")
    ),
    "line indented": _reindent,
    "token deleted": lambda rng, text: _replace(rng, text, _TOKEN, ""),
    "token replaced": lambda rng, text: _replace(
        rng, text, _TOKEN, rng.choice(_TOKEN.findall(text) or ["x"])
    ),
    "name replaced": lambda rng, text: _replace(
        rng, text, _NAME, rng.choice(_NAME.findall(text) or ["x"])
    ),
    "names made one": lambda rng, text: re.sub(
        rf"\b{rng.choice(_NAME.findall(text) or ['x'])}\b", "x", text
    ),
    "operator replaced": lambda rng, text: _replace(
        rng, text, _OPERATOR, rng.choice([*"+-*/%@<>=!&|^~", "**", "//", ":=", "->", "...", "!="])
    ),
    "number replaced": lambda rng, text: _replace(rng, text, _NUMBER, rng.choice(_NUMBERS)),
    "keyword": lambda rng, text: _insert(rng, text, f" {rng.choice(_KEYWORDS)} "),
    "statement": _statement,
    "bracket": lambda rng, text: _insert(rng, text, rng.choice("()[]{}")),
    "quote": lambda rng, text: _insert(rng, text, rng.choice(["'", '"', "'''", 'f"{', "t'", "b'"])),
    "truncated": lambda rng, text: text[: _position(rng, text)],
    "text doubled": _splice,
    "nested": _nest,
    "chained": _chain,
    "blocks": _deep_blocks,
    "CRLF": lambda _rng, text: text.replace("\n", "\r\n"),
    "CR": lambda _rng, text: text.replace("\n", "\r"),
    "mixed line ends": _mixed_ends,
    "tabs": lambda _rng, text: text.replace("    ", "\t"),
    "byte order mark": lambda _rng, text: "\ufeff" + text,
    "comment": lambda rng, text: _insert(
        rng, text, rng.choice(["# noqa", "  # noqa: OAK201", "#"])
    ),
}


def mutated(seed: int, sources: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """A source with one to three mutations and the trap behind it, and the kinds of these."""
    rng = random.Random(seed)
    text = rng.choice(sources)
    # Every kind has its turn as the first; the line ends come last, so that they hold for the trap.
    first = list(MUTATIONS)[seed % len(MUTATIONS)]
    kinds = [first, *rng.choices(list(MUTATIONS), k=rng.randrange(3))]
    ends = [kind for kind in kinds if kind in ("CRLF", "CR", "mixed line ends")]
    for kind in kinds:
        if kind not in ends:
            text = MUTATIONS[kind](rng, text)
    text += TRAP
    for kind in ends:
        text = MUTATIONS[kind](rng, text)
    return text, tuple(kinds)
