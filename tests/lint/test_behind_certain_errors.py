"""Whatever certainly raises, what stands behind it is likely: in the function itself, behind calls
of it, and behind calls of it that are remembered.
"""

import pytest
from closed_world_programs import findings_with_unknown_code, weak_links

from oakum_lint.text.finding import Finding

REASONS = {
    "a text that is no number": ('int("abc")',),
    "a division by zero": ("value = 1 / 0",),
    "a key that a dict lacks": ('table = {"a": 1}', 'value = table["b"]'),
    "an index behind the last element": ("items = [1, 2]", "value = items[5]"),
    "too many elements for the names": ("a, b = 1, 2, 3",),
    "too few elements for the names": ("pair = (1, 2)", "a, b, c = pair"),
    "a number that is unpacked": ("a, b = 5",),
    "a transform without its function": (
        '@jax.pmap(axis_name="i")',
        "def mapped(x):",
        "    return x",
    ),
    "a gradient without its function": ("jax.grad(argnums=0)",),
    "a static argument that is none": (
        "@functools.partial(jax.jit, static_argnums=3)",
        "def staged(x):",
        "    return x",
    ),
    "an exception": ('raise ValueError("no")',),
    "an assertion that does not hold": ("n = 3", "assert n == 4"),
    "the end of the program": ("import sys", "sys.exit()"),
    "the end of a test": ("import pytest", 'pytest.skip("later")'),
    "a name that nothing binds": ("print(not_bound)",),
    "a name that JAX does not have": ("from jax.numpy import no_such",),
    "a module that JAX does not have": ("import jax.no_such",),
    "a module that raises": ("import broken",),
    "a text and a number": ('value = "a" + 1',),
    "None and a number": ("nothing = None", "value = nothing + 1"),
    "a call of None": ("nothing = None", "nothing()"),
    "a loop over None": ("nothing = None", "for each in nothing:", "    pass"),
    "an iterator that has nothing": ("value = next(iter([]))",),
    "a list that has nothing": ("items = []", "items.pop()"),
    "an entry that a dict lacks": ('table = {"a": 1}', 'table.pop("b")'),
    "a name that NumPy no longer has": ("value = np.float(3)",),
    "a name that JAX handed on once": ("value = jax.partial(add, 1)",),
    "an attribute that texts lack": ('value = "abc".no_such()',),
    "a call with too little": ("add = lambda x, y: x + y", "add(1)"),
    "a method with too little": ("Plain().scaled()",),
    "an initialiser with too much": ("Plain(1, 2, 3)",),
    "an initialiser of a base with too much": ("Derived()",),
    "an attribute that is never set": ("Plain().missing",),
    "a property that raises": ("Plain().broken",),
    "a method that raises": ("Plain().run()",),
    "a partial with too much": ("functools.partial(add, 1)(2, 3)",),
    "the largest of nothing": ("value = max([])",),
    "the smallest of nothing": ("items = ()", "value = min(items)"),
    "a deque that has nothing": ("import collections", "collections.deque().popleft()"),
    "an index behind the last that is popped": ("items = [1, 2]", "items.pop(4)"),
    "an index behind the last that is set": ("items = [1, 2]", "items[4] = 1"),
    "a key that is deleted and not there": ('table = {"a": 1}', 'del table["b"]'),
    "a name that is deleted and not bound": ("del not_bound",),
    "a field of a frozen object": ("Frozen(1).n = 2",),
    "a field of what inherits from a frozen class": ("Open(1).n = 2",),
    "a field of a frozen object that is set by its name": ('setattr(Frozen(1), "n", 2)',),
    "a field of a named tuple": ("Pair(1, 2).a = 2",),
    "a text as a number": ('value = "%d" % "a"',),
    "too little for a format": ('value = "%d %d" % (1,)',),
    "too much for a format": ('value = "%d" % (1, 2)',),
    "a format that numbers lack": ('value = "{:s}".format(3)',),
    "a format that texts lack": ("value = f\"{'a':d}\"",),
    "a field that is not given": ('value = "{} {}".format(1)',),
    "a named field that is not given": ('value = "{n}".format(m=1)',),
    "a key of a text": ('value = "abc"["a"]',),
    "an index behind the last character": ('value = "abc"[5]',),
    "a text and a number that are compared": ('value = "a" < 1',),
    "an argument twice": ("add(1, x=2)",),
    "a keyword that is not there": ("add(1, z=2)",),
    "a keyword that a function of JAX does not take": ("jnp.zeros(3, like=2)",),
    "a function of JAX that gets too little": ("jax.random.randint(jax.random.key(1), (2,))",),
    "a method that arrays lack": ("jnp.ones(3).numpy()",),
    "a method that tracers lack": ("value = jax.grad(lambda x: x.detach())(1.0)",),
    "a field that a dataclass has not": ("Frozen(1, m=2)",),
    "a dataclass with too little": ("Frozen()",),
    "a named tuple with too much": ("Pair(1, 2, 3)",),
    "a method that lists lack": ("items = [1]", "items.add(2)"),
    "an attribute that dicts lack": ('table = {"a": 1}', "value = table.a"),
    "a module of flax with too little": ("Layer()",),
    "an item of a tuple that is set": ("pair = (1, 2)", "pair[0] = 3"),
    "an item of a text that is set": ('text = "ab"', 'text[0] = "c"'),
    "a remainder by zero": ("value = 5 % 0",),
    "a division of floats by zero": ("value = 1.0 / 0.0",),
    "a call of a module": ("import time", "value = time()"),
    "a call of a text": ('name = "add"', "value = name(1, 2)"),
    "a call of a list": ("value = [add](1, 2)",),
    "a call of an array": ("value = jnp.ones(3)(1)",),
    "a field of a structure of flax": ("Structure(1).n = 2",),
    "an attribute of a module of Equinox that is made": ("Weight(1).n = 2",),
    "an attribute of a module of flax that is made": ("Layered(1).n = 2",),
    "a copy with a field that is not there": ("dataclasses.replace(Frozen(1), m=2)",),
    "a copy of a structure with a field that is not there": ("Structure(1).replace(m=2)",),
    "a name that optax lacks": ("import optax", "value = optax.no_such(0.1)"),
    "a name of flax that it no longer has": ("value = flax.optim",),
    "a layer of flax with too little": ("flax.linen.Dense()",),
    "a layer of flax with a keyword that it does not take": ("flax.linen.Dense(3, no_such=1)",),
    "a layer of NNX without its keys": ("from flax import nnx", "nnx.Linear(3, 4)"),
    "an optimizer with too little": ("import optax", "optax.adam()"),
    "a function of NumPy with a keyword that it does not take": ("np.mean(np.ones(3), axes=0)",),
    "a builtin with a keyword that it does not take": ("sorted([1], cmp=1)",),
    "an option that jit does not have": ("jax.jit(add, static_argnum=0)",),
    "a format of an array with axes": ('value = f"{np.ones(3):.2f}"',),
    "a format of a list": ("items = [1]", 'value = f"{items:.2f}"'),
    "an index of a list that is a tuple": ("items = [1, 2]", "value = items[0, 1]"),
    "the place of what a list does not hold": ('names = ["a"]', 'value = names.index("b")'),
    "the removal of what a list does not hold": ('names = ["a"]', 'names.remove("b")'),
    "the length of a number": ("value = len(5)",),
    "the length of an array without axes": ("value = len(jnp.sum(jnp.ones(3)))",),
    "None and an array": ("nothing = None", "value = nothing * jnp.ones(3)"),
    "an array and None that are compared": ("nothing = None", "value = jnp.ones(3) < nothing"),
    "an array's `at` that is called": ("value = jnp.ones(3).at(0).set(1)",),
    "a dataclass with an array as a default": (
        "@dataclasses.dataclass",
        "class State:",
        "    w: np.ndarray = np.zeros(3)",
    ),
    "a structure of flax with a list as a default": (
        "@flax.struct.dataclass",
        "class State:",
        "    sizes: list = [1, 2]",
    ),
    "a list without another one": ("value = [1, 2] - [2]",),
    "a list and a number that are compared": ("value = [1, 2] < 3",),
    "a text without another one": ('value = "ab" - "b"',),
    "a sign before a list": ("value = -[1]",),
    "a function and a number": ("value = add + 1",),
    "an index behind the end of an array of NumPy": ("value = np.ones((2, 3))[1, 3]",),
    "an item of what is gone through once": ("value = map(str, [1])[0]",),
    "the length of what is gone through once": ("value = len(zip([1], [2]))",),
    "an argument of a class without an initialiser": (
        "class Empty:",
        "    size = 3",
        "Empty(1)",
    ),
    "trees with other keys": ('value = jax.tree.map(add, {"a": 1}, {"b": 2})',),
    "a tuple and a list as trees": ("value = jax.tree.map(add, (1, 2), [1, 2])",),
    "a tree that has no container there": ('value = jax.tree.map(add, {"a": (1, 2)}, {"a": 1})',),
    "a field without a default behind one with one": (
        "@dataclasses.dataclass",
        "class State:",
        "    w: int = 3",
        "    n: int",
    ),
}
WORKING = {
    "a field of a frozen object, by the way around": ('object.__setattr__(Frozen(1), "n", 2)',),
    "an attribute of what inherits from a frozen class": ("Open(1).extra = 2",),
    "a field of an object that may be frozen": (
        "one = Frozen(1) if hub.flag else Plain(1)",
        "one.n = 2",
    ),
    "an item of a tuple with items of its own": ('value = Named(1, 2)["a"]',),
    "a key that a dict makes when it lacks it": ('value = Table()["a"]',),
    "the value of a member that is a text": ("value = Mode.TRAIN.value",),
    "what the base of a module adds": ('Layer(3, name="first")',),
    "a field that what inherits from a dataclass declares for itself": ("Colored(1)",),
    "a method of ordered dicts": (
        "table = collections.OrderedDict(a=1)",
        'table.move_to_end("a")',
    ),
    "an item that is set in such a tuple": ('Named(1, 2)["a"] = 3',),
    "what a module of Equinox sets while it is made": ("Made(1)",),
    "what a module of flax sets up": ("Layered(2).init(jax.random.key(0), jnp.ones(3))",),
    "a structure of flax that is not frozen": ("Thawed(1).n = 2",),
    "a copy with a field that is there": ("Structure(1).replace(n=2)",),
    "keywords that a layer takes": ("flax.linen.Dense(3, use_bias=False)",),
    "keywords that an optimizer takes": ("import optax", "optax.adam(1e-3, nesterov=True)"),
    "a function of NumPy with all that it takes": ("np.mean(np.ones(3), axis=0, keepdims=True)",),
    "a part of optax that is imported": ("import optax.contrib", "optax.contrib"),
    "what counters have and other dicts have not": (
        'value = collections.Counter("ab") - collections.Counter("b")',
    ),
    "keys without those of another dict": (
        'value = {"a": 1, "b": 2}.keys() - {"b": 2}.keys()',
        'value = {"a", "b"} - {"b": 2}.keys()',
    ),
    "a set without another one": ("value = -len({1, 2} - {2})",),
    "lists in the order of their elements": ("value = [1, 2] < [3]", "value = 2 * [1] + [3]"),
    "a sign before a truth value": ("value = -True",),
    "the first element by its place from the end": ("value = np.ones((2, 3))[1, -3]",),
    "a part of an array of NumPy that ends behind it": ("value = np.ones(3)[1:9]",),
    "an argument of what is a list": ("class Rows(list):", "    size = 3", "len(Rows([1]))"),
    "an argument that a base takes": ("class Derived(Plain):", "    size = 3", "Derived(1)"),
    "a tree that goes deeper than the first": (
        'value = jax.tree.map(lambda x, y: x, {"a": 1}, {"a": (1, 2)})',
    ),
    "trees with the same keys": ('value = jax.tree.map(add, {"a": 1, "b": 2}, {"b": 2, "a": 1})',),
    "a format of an array without axes": ('value = f"{jnp.ones(3).sum():.2f}"',),
    "the place of what a list holds": ('names = ["a", "b"]', 'value = names.index("b")'),
    "an array that is asked whether it is None": ("value = jnp.ones(3) == None",),
    "defaults of a dataclass that have a hash": (
        "@dataclasses.dataclass",
        "class State:",
        "    sizes: tuple = (1, 2)",
        "    scale: float = np.float32(2.0)",
        "    w: jax.Array = dataclasses.field(default_factory=lambda: jnp.zeros(3))",
    ),
    "fields that are passed by keyword alone": (
        "@dataclasses.dataclass(kw_only=True)",
        "class State:",
        "    w: int = 3",
        "    n: int",
    ),
}
"""What does not raise, although it looks alike."""
NOT_CAUGHT = {"the end of the program", "the end of a test"}
"""`except Exception` does not catch them."""
HEAD = """
        import collections
        import dataclasses
        import enum
        import typing

        import equinox
        import flax.linen
        import flax.struct

        def add(x, y):
            return x + y

        @flax.struct.dataclass
        class Structure:
            n: int

        @flax.struct.dataclass(frozen=False)
        class Thawed:
            n: int

        class Layered(flax.linen.Module):
            n: int

            def setup(self):
                self.layer = flax.linen.Dense(self.n)

            def __call__(self, x):
                return self.layer(x)

        class Weight(equinox.Module):
            n: int

        class Made(equinox.Module):
            n: int

            def __init__(self, n):
                self.n = 0
                self.n = n

        class Plain:
            def __init__(self, n=1):
                self.n = n

            def scaled(self, by):
                return self.n * by

            @property
            def broken(self):
                raise ValueError

            def run(self):
                raise NotImplementedError

        @dataclasses.dataclass(frozen=True)
        class Frozen:
            n: int

        @dataclasses.dataclass
        class Shape:
            n: int

        class Colored(Shape):
            color: str

        class Layer(flax.linen.Module):
            width: int

        class Mode(str, enum.Enum):
            TRAIN = "train"

        class Table(dict):
            def __missing__(self, key):
                return len(self)

        class Open(Frozen):
            pass

        class Pair(typing.NamedTuple):
            a: int
            b: int

        class Named(typing.NamedTuple):
            a: int
            b: int

            def __getitem__(self, name):
                return getattr(self, name)

            def __setitem__(self, name, value):
                print(name, value)

        class Derived(Plain):
            def __init__(self):
                super().__init__(1, 2, 3)
"""
SHAPES = {
    "in one function": """
        def f():
            {reason}
            return MISFIT[3]

        f()
    """,
    "in a function that is called": """
        def first():
            {reason}

        def second():
            print(first())
            return 3

        def f():
            n = second()
            return n, MISFIT[3]

        f()
    """,
    "in a call that is remembered": """
        def first():
            {reason}

        def other():
            first()

        def f():
            first()
            return MISFIT[3]

        def main():
            if hub.flag:
                other()
            f()

        main()
    """,
    "in what each handler leaves": """
        def f():
            for i in range(3):
                try:
                    {reason}
                except Exception:
                    continue
                print(i, MISFIT[3])

        f()
    """,
    "in what is traced": """
        @jax.jit
        def traced(x):
            {reason}
            return x

        def f():
            print(traced(1.0))
            return MISFIT[3]

        f()
    """,
}
CAUGHT = """
        def first():
            {reason}

        def f():
            try:
                first()
            except Exception:
                pass
            return MISFIT[3]

        f()
"""
GUARDED = """
        def first():
            {reason}

        def f():
            if hub.flag:
                first()
            return MISFIT[3]

        f()
"""


def _findings(shape: str, reason: tuple[str, ...]) -> list[Finding]:
    line = next(line for line in shape.splitlines() if "{reason}" in line)
    indent = line[: len(line) - len(line.lstrip())]
    program = HEAD + shape.replace("{reason}", f"\n{indent}".join(reason))
    return [
        each
        for each in findings_with_unknown_code(program, broken="raise ValueError\n")
        if each.code == "OAK501" and "4, 2" in each.message + "".join(each.notes)
    ]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS)
def test_nothing_behind_what_certainly_raises_is_proved(
    reason: tuple[str, ...], shape: str
) -> None:
    """No run reaches it: a build does not fail for it before the first error is repaired."""
    for finding in _findings(shape, reason):
        assert finding.confidence == "likely", weak_links(finding)


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS)
def test_what_may_not_happen_takes_nothing_away(reason: tuple[str, ...]) -> None:
    """A run gets there, and fails as the report says."""
    (finding,) = _findings(GUARDED, reason)
    assert finding.weak == ()


@pytest.mark.parametrize("lines", WORKING.values(), ids=WORKING)
def test_what_works_takes_nothing_away(lines: tuple[str, ...]) -> None:
    """A run gets behind it, and fails as the report says."""
    (finding,) = _findings(SHAPES["in one function"], lines)
    assert finding.weak == ()


def test_what_returns_before_it_raises_takes_nothing_away() -> None:
    """A run gets behind the call where the first test holds."""
    program = """
        def first():
            if hub.flag:
                return
            raise ValueError

        def f():
            first()
            return MISFIT[3]

        f()
    """
    (finding,) = findings_with_unknown_code(program)
    assert finding.weak == ()


@pytest.mark.parametrize("name", sorted(REASONS.keys() - NOT_CAUGHT))
def test_what_is_caught_takes_nothing_away(name: str) -> None:
    """A run gets there, and fails as the report says."""
    (finding,) = _findings(CAUGHT, REASONS[name])
    assert finding.weak == ()


def test_errors_of_tracers_behind_what_raises_are_likely_each() -> None:
    """No run reaches the second one either, whether the first is repaired or not."""
    program = """
        @jax.jit
        def f(x, y):
            int("abc")
            if x > 0:
                x = x + 1
            if y > 0:
                y = y + 1
            return x + y

        f(1.0, 2.0)
    """
    found = findings_with_unknown_code(program)
    assert [each.confidence for each in found] == ["likely", "likely"]


DRAWN = """
        def draw(key, x, close):
            return jax.random.uniform(key, (3,)) + x

        def f(key, paths):
            def one(path):
                x = jax.random.choice(key, jnp.arange(3))
                return {call}

            return {calls}

        f(jax.random.key(0), ["a", "b"])
"""


@pytest.mark.parametrize("calls", ["one(paths[0])", "[one(path) for path in paths]"])
def test_a_call_that_is_refused_uses_no_key(calls: str) -> None:
    """It raises before it does, and no other element of a list comes behind it."""
    right = DRAWN.format(call="draw(key, x, close=path)", calls=calls)
    wrong = DRAWN.format(call="draw(key, x, closed=path)", calls=calls)
    assert {each.confidence for each in findings_with_unknown_code(right)} == {"proved"}
    assert findings_with_unknown_code(wrong) == []


STEP = """
        @jax.jit
        def step(x):
            if x > 0:
                return x
            return -x

        def first(x):
            if hub.flag:
                step(x)

        def draws(key, x):
            {call}
            a = jax.random.normal(key, (3,))
            return a + jax.random.normal(key, (3,))

        first(jnp.ones(()))
        draws(jax.random.key(0), jnp.ones(()))
"""


def _draws(call: str) -> str:
    found = findings_with_unknown_code(STEP.format(call=call))
    (reused,) = [each for each in found if each.code == "OAK401"]
    return reused.confidence


def test_what_is_silent_behind_an_error_of_a_tracer_is_likely() -> None:
    """Nobody sees keys that are drawn from twice before the run gets there."""
    assert _draws("step(x)") == "likely"
    assert _draws("x = x + 1") == "proved"


def test_what_handles_an_error_of_a_tracer_takes_nothing_away() -> None:
    """A run gets to the draws, which are the same."""
    caught = "try:\n                step(x)\n            except Exception:\n                pass"
    assert _draws(caught) == "proved"


def test_a_class_that_raises_has_no_methods_that_run() -> None:
    """A name in a decorator that nothing binds: nobody has the class."""
    program = """
        class Player:
            @{decorator}
            def play(self):
                return MISFIT[3]

        Player().play()
    """
    (right,) = findings_with_unknown_code(program.format(decorator="functools.cache"))
    (wrong,) = findings_with_unknown_code(program.format(decorator="not_bound"))
    assert (right.confidence, wrong.confidence) == ("proved", "likely")
