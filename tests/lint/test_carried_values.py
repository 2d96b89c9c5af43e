"""A value that unknown code may have changed makes a finding likely, on whatever way it gets there;
and proved where nothing has had it.
"""

import functools
from collections.abc import Callable
from textwrap import indent

import pytest
from closed_world_programs import filled, findings_with_unknown_code, weak_links
from small_programs import findings_of, only

from oakum_lint.text.finding import Finding

WAYS = {
    "an element": "MISFIT[sizes[0]]",
    "a sum": "MISFIT[sizes[0] + 0]",
    "its length": "MISFIT[len(sizes) + 1]",
    "an argument": "def f(n):\n    return MISFIT[n]\nf(sizes[0])",
    "a keyword": "def f(a, n):\n    return MISFIT[n]\nf(1, n=sizes[0])",
    "arguments behind a star": "def f(*rest):\n    return MISFIT[rest[1]]\nf(1, *sizes)",
    "arguments by names": 'def f(n, a=1):\n    return MISFIT[n]\nf(**{"n": sizes[0]})',
    "keywords that are collected": (
        'def f(**options):\n    return MISFIT[options["n"]]\nf(a=1, n=sizes[0])'
    ),
    "a default": "def f(a, n=sizes[0]):\n    return MISFIT[n]\nf(1)",
    "what `partial` binds": "def f(n, a):\n    return MISFIT[n]\nfunctools.partial(f, sizes[0])(1)",
    "what a function returns": "def first():\n    return sizes[0]\nMISFIT[first()]",
    "what a function hands on": "def same(value):\n    return value\nMISFIT[same(sizes[0])]",
    "what a lambda returns": "first = lambda: sizes[0]\nMISFIT[first()]",
    "a variable of the module": "n = sizes[0]\ndef f():\n    return MISFIT[n]\nf()",
    "a variable around": (
        "def f():\n    n = sizes[0]\n    def g():\n        return MISFIT[n]\n    return g()\nf()"
    ),
    "an attribute": (
        "class Box:\n    def __init__(self, n):\n        self.n = n\nMISFIT[Box(sizes[0]).n]"
    ),
    "an attribute in a method": (
        "class Box:\n    def __init__(self, n):\n        self.n = n\n"
        "    def run(self):\n        return MISFIT[self.n]\nBox(sizes[0]).run()"
    ),
    "a property": (
        "class Box:\n    @property\n    def n(self):\n        return sizes[0]\nMISFIT[Box().n]"
    ),
    "a class attribute": "class Box:\n    n = sizes[0]\nMISFIT[Box.n]",
    "a field": (
        "import dataclasses\n@dataclasses.dataclass\nclass Box:\n    n: int\n"
        "MISFIT[Box(sizes[0]).n]"
    ),
    "a field of a named tuple": (
        "import typing\nclass Box(typing.NamedTuple):\n    n: int\nMISFIT[Box(sizes[0]).n]"
    ),
    "a tuple": "pair = 1, sizes[0]\nMISFIT[pair[1]]",
    "a dict": 'table = {"n": sizes[0]}\nMISFIT[table["n"]]',
    "a dict with a default": 'table = {"n": sizes[0]}\nMISFIT[table.get("n", 4)]',
    "unpacking": "n, second = sizes\nMISFIT[n]",
    "unpacking with a star": "n, *rest = sizes\nMISFIT[n]",
    "a loop": "for n in sizes:\n    MISFIT[n]",
    "a loop that counts": "for i, n in enumerate(sizes):\n    MISFIT[n]",
    "a loop over two": "for n, m in zip(sizes, (1, 2)):\n    MISFIT[n]",
    "a loop over indices": "for i in range(len(sizes)):\n    MISFIT[sizes[i]]",
    "a comprehension": "[MISFIT[n] for n in sizes]",
    "a generator": (
        "def each():\n    for n in sizes:\n        yield n\nfor n in each():\n    MISFIT[n]"
    ),
    "`map`": "def f(n):\n    return MISFIT[n]\nlist(map(f, sizes))",
    "`reduce`": "functools.reduce(lambda a, n: MISFIT[n], sizes, 0)",
    "`sorted`": "MISFIT[sorted(sizes)[0]]",
    "`max`": "MISFIT[max(sizes)]",
    "a copy": "MISFIT[list(sizes)[0]]",
    "a slice": "MISFIT[sizes[:1][0]]",
    "a condition": "MISFIT[sizes[0] if sizes else 4]",
    "`or`": "MISFIT[sizes[0] or 4]",
    "a walrus": "if (n := sizes[0]) > 1:\n    MISFIT[n]",
    "a test": "if sizes[0] == 3:\n    MISFIT[3]",
    "a test in a function": (
        "def f():\n    if sizes[0] != 3:\n        return 0\n    return MISFIT[3]\nf()"
    ),
    "an assertion": "assert sizes[0] == 3\nMISFIT[3]",
    "a pattern": "match sizes:\n    case [3, n]:\n        MISFIT[n]",
    "a static argument": "jax.jit(lambda n: MISFIT[n], static_argnums=0)(sizes[0])",
    "what a jitted function closes over": "jax.jit(lambda x: x + MISFIT[sizes[0]])(1.0)",
    "a cached function": "@functools.cache\ndef f(n):\n    return MISFIT[n]\nf(sizes[0])",
    "a while loop": "n = 0\nwhile n < sizes[0]:\n    n += 1\n    MISFIT[3]",
    "a number": "MISFIT[int(sizes[0])]",
    "an augmented variable": "n = 0\nn += sizes[0]\nMISFIT[n]",
    "an augmented attribute": (
        "class Box:\n    n = 0\nbox = Box()\nbox.n += sizes[0]\nMISFIT[box.n]"
    ),
    "what is appended": "kept = []\nkept.append(sizes[0])\nMISFIT[kept[0]]",
    "what is stored": "kept = {}\nkept[0] = sizes[0]\nMISFIT[kept[0]]",
    "an array's shape": "MISFIT[jnp.ones(sizes[0]).shape[0]]",
}
"""From the list `sizes` to the size of an array that does not fit."""
NOT_FOLLOWED = frozenset({"an assertion"})
"""Ways that are not seen: the finding is proved all the same. One that is seen fails here. Who
asserts something says that it holds.
"""


TRACED = "@jax.jit\ndef traced(x):\n    sizes = [x, x]\n{way}\ntraced(1.0)\n"
FOLLOWED = {
    "a tracer that Python asks": (TRACED, "bool({n})"),
    "a tracer that NumPy gets": (TRACED, "np.sin({n})"),
    "a tracer that is kept": (f"kept_outside = []\n{TRACED}", "kept_outside.append({n})"),
    "a key that is drawn from again": (
        "def draws(key):\n    jax.random.normal(key)\n    sizes = [key, key]\n{way}\n"
        "draws(jax.random.key(0))\n",
        "jax.random.normal({n})",
    ),
    "an array that was donated": (
        "def uses(array):\n    jax.jit(lambda a: a * 2, donate_argnums=0)(array)\n"
        "    sizes = [array, array]\n{way}\nuses(jnp.ones(3))\n",
        "jnp.sum({n})",
    ),
}
"""What else is followed, by what: the program around a way, and the use at its end."""


@pytest.mark.parametrize("what", FOLLOWED)
def test_what_is_found_at_the_end_of_each_way_is_as_reviewed(
    what: str, golden: Callable[[str, str], None]
) -> None:
    """A user is told of the use, whatever holds the value in between."""
    program, use = FOLLOWED[what]
    rows: list[str] = []
    for name, way in WAYS.items():
        findings = findings_of(program.format(way=indent(filled(way, use), "    ")))
        said = (f"{each.code} {each.confidence.value}: {each.message}" for each in findings)
        rows.append(f"{name}: {'; '.join(said) or '-'}")
    golden(f"carried_values/{what.replace(' ', '_')}.txt", "\n".join(rows) + "\n")


@functools.cache
def found(way: str, *, handed: bool) -> Finding:
    """The one finding of a program, whose list an unknown function gets, or nothing."""
    passed = "fill(sizes)\n" if handed else ""
    program = f"sizes = [3, 3]\n{passed}{WAYS[way]}\n"
    return only(findings_with_unknown_code(indent(program, " " * 8)))


@pytest.mark.parametrize("way", WAYS)
def test_a_value_that_nothing_else_has_had_proves_a_finding(way: str) -> None:
    """A run in CI fails for it."""
    assert found(way, handed=False).weak == ()


@pytest.mark.parametrize("way", WAYS)
def test_a_value_that_unknown_code_has_had_makes_it_likely(way: str) -> None:
    """A run in CI does not fail for code that works."""
    finding = found(way, handed=True)
    if way in NOT_FOLLOWED:
        assert finding.confidence == "proved", f"take {way} off NOT_FOLLOWED"
    else:
        assert finding.confidence == "likely"
        assert "`sizes`" in weak_links(finding)
