"""What the values lack that a line asks for: nothing behind it is proved."""

import pytest
from closed_world_programs import findings_with_unknown_code, weak_links

from oakum_lint.text.finding import Finding

HEAD = """
        import abc
        import dataclasses
        import enum
        import functools
        import typing

        import chex
        import diffrax
        import distrax
        import einops
        import equinox
        import haiku
        import numpyro
        import optax

        class Plain:
            def __init__(self, n=1):
                self.n = n

        @dataclasses.dataclass
        class Record:
            n: int = 1

        @chex.dataclass
        class Mapped:
            n: int

        class Shape(abc.ABC):
            @abc.abstractmethod
            def area(self): ...

        class Square(Shape):
            def side(self):
                return 1

        class Circle(Shape):
            def area(self):
                return 3

        class Named(Shape):
            area = len

        class Sized(metaclass=abc.ABCMeta):
            @property
            @abc.abstractmethod
            def size(self): ...

        class Solver(equinox.Module):
            @abc.abstractmethod
            def step(self, x): ...

        class Euler(Solver):
            n: int

            def step(self, x):
                return x + self.n

        class Mode(enum.Enum):
            TRAIN = 1
            TEST = 2

        class Lenient(enum.Enum):
            TRAIN = 1

            @classmethod
            def _missing_(cls, value):
                return cls.TRAIN

        class Access(enum.Flag):
            READ = 1
            WRITE = 2

        class Child(Plain):
            def grown(self):
                return super().missing()

        class Mixed:
            def size(self):
                return super().size()

        class Base:
            def size(self):
                return 1

        class Both(Mixed, Base):
            pass

        class Vector(Plain):
            def __add__(self, other):
                return self

            def __iter__(self):
                return iter((1, 2))

            def __getitem__(self, index):
                return index

            def __len__(self):
                return 2

            def __call__(self):
                return self

        class Half:
            @property
            def n(self):
                return 1

        class Whole:
            @property
            def n(self):
                return 1

            @n.setter
            def n(self, value):
                print(value)

        table = np.zeros((2, 3))
        names = {}

        @functools.cache
        def cached(x):
            return x

        @hub.registered
        class Registered:
            pass

        @hub.registered
        def changed(x):
            return x

        def plain(x):
            return x

        adam = optax.adam(1e-3)
        chained = optax.chain(optax.clip(1.0), optax.adam(1e-3))
        state = adam.init(jnp.ones(3))
"""
BODY = """
        def f():
            {lines}
            return MISFIT[3]

        f()
"""
LACKING = {
    "a call of an object": "Plain()(3)",
    "an item of an object": "Plain()[3]",
    "a loop over an object": "for _ in Plain(): pass",
    "an object that is added": "Plain() + 1",
    "an object that something is subtracted of": "1 - Record()",
    "the length of an object": "len(Record())",
    "an object that is unpacked": "a, b = Plain()",
    "an object as a context": "with Plain(): pass",
    "a list of an object": "[*Plain()]",
    "what an object does not hold": "1 in Plain()",
    "an object with its sign turned": "-Plain()",
    "the next of an object": "next(Plain())",
    "an object as a number": "float(Plain())",
    "an item of an object that is set": "Plain()[0] = 1",
    "a property that is set": "Half().n = 1",
    "an item of a function": "plain[3]",
    "a loop over a function": "for _ in plain: pass",
    "a method that is unpacked": "a, b = Vector().__len__",
    "an attribute that a class lacks": "Plain.missing",
    "an abstract class": "Shape()",
    "a class with an abstract method of its base": "Square()",
    "a class with an abstract property": "Sized()",
    "an abstract module of Equinox": "Solver()",
    "a member that an enumeration lacks": "Mode.FIT",
    "a member that an enumeration lacks, by its name": 'Mode["FIT"]',
    "a member that an enumeration lacks, by its value": "Mode(3)",
    "a method that the base lacks": "Child().grown()",
    "an update that arrays lack": "jnp.ones(3).at[0].put(1.0)",
    "a keyword that a method does not take": "jnp.ones(3).sum(keepdim=True)",
    "the item of an array": "jnp.ones(3).item()",
    "an optimizer without its state": "adam.update(jnp.ones(3))",
    "an optimizer without parameters": "adam.init()",
    "a chain of optimizers without its state": "chained.update(jnp.ones(3))",
    "a method that optimizers lack": "adam.step(jnp.ones(3))",
    "a method that arrays of NumPy lack": "np.ones(3).unsqueeze(0)",
    "arrays of NumPy that do not fit": "np.ones((3, 4)) + np.ones(3)",
    "arrays of NumPy that have no product": "np.ones((3, 4)) @ np.ones((3, 4))",
    "arrays of NumPy that are no stack": "np.stack([np.ones(2), np.ones(3)])",
    "an axis that an array of NumPy lacks": "np.ones((3, 4)).sum(axis=2)",
    "a shape that an array of NumPy does not have": "np.ones((3, 4)).reshape(5)",
    "too many indices of an array of NumPy": "np.ones((3, 4))[0, 0, 0]",
    "an array that does not fit a part of NumPy's": "table[0] = np.ones(2)",
    "the truth of an array of NumPy": "if np.ones(3) > 1: pass",
    "an array of NumPy as a number": "float(np.ones(3))",
    "the item of an array of NumPy": "np.ones(3).item()",
    "a list and a tuple": "[1] + (2,)",
    "a list and None": "[1] + None",
    "a tuple so many times": "(1,) * 2.5",
    "a range of a float": "range(5 / 2)",
    "a range of None": "range(None)",
    "an item of a set": "{1, 2}[0]",
    "a list as a key": "{[1]: 2}",
    "a list as a key that is set": "names[[1]] = 2",
    "a list in a set": "{(1, [2])}",
    "a list for a cached function": "cached([1])",
    "a loop without an end": "while True: print(1)",
    "a layer of Haiku with too little": "haiku.Linear()",
    "a name that Haiku lacks": "haiku.no_such",
    "a distribution of Distrax with a keyword": "distrax.Normal(0.0, 1.0, no_such=1)",
    "a function of NumPyro with too little": "numpyro.sample()",
    "a term of Diffrax with a keyword": "diffrax.ODETerm(plain, no_such=1)",
    "an assertion of Chex with too little": "chex.assert_shape()",
    "a pattern of einops without its array": 'einops.rearrange("a b -> b a")',
}
WORKING = {
    "objects with the methods": (
        "a, b = Vector(); Vector() + 1; Vector()[3]; len(Vector()); Vector()(); [*Vector()]"
    ),
    "the truth and equality of objects": "bool(Plain()); Plain() == 1; str(Record())",
    "a property with a setter": "Whole().n = 1",
    "parts of an array of NumPy": "table[0] = np.ones(3); table[:] = np.ones(3); table[:, 0] = 1",
    "a class that a decorator changes": "Registered()(3)[0]",
    "a function that a decorator changes": "changed[3](2)",
    "a dataclass of Chex that is a mapping": 'Mapped(n=1)["n"]',
    "classes that define what is abstract": "Circle(); Named(); Euler(1)",
    "members of enumerations": 'Mode.TRAIN; Mode["TEST"]; Mode(2); Mode.__members__; len(Mode)',
    "an enumeration that makes members": "Lenient(3); Access(3)",
    "a method of what comes behind a mixin": "Both().size()",
    "a method of each class": "Plain.mro(); Plain.__name__",
    "updates that arrays have": "jnp.ones(3).at[0].get(); jnp.ones(3).at[0].apply(jnp.sin)",
    "optimizers with all that they take": (
        "adam.update(jnp.ones(3), state); adam.update(jnp.ones(3), state, jnp.ones(3), value=1.0)"
    ),
    "a chain with its state": "chained.update(jnp.ones(3), chained.init(jnp.ones(3)))",
    "arrays of NumPy that fit": (
        "np.ones((3, 4)) + np.ones(4); np.ones((3, 4)) @ np.ones(4); np.ones((2, 3)).reshape(-1)"
    ),
    "arrays of one element": "np.ones((1, 1)).item(); bool(np.ones(1)); float(np.ones(()))",
    "one item of an array": "jnp.ones(3).item(0); np.ones(3).item(1); jnp.ones(1).item()",
    "lists and tuples that go together": (
        'sorted({1}) + [2]; list(range(2)) + [1]; "a b".split() + ["c"]; [*{1: 2}] + [3]; '
        "jax.tree.leaves(1) + [1]; jnp.split(jnp.ones(4), 2) + [1]; jnp.ones(3).shape + (1,); "
        "np.ones(3).tolist() + [1]; list(names.keys()) + [1]; jax.devices() + [1]; [1] * len(names)"
    ),
    "a list that a tuple is added to": "items = [1]; items += (2,)",
    "what has a hash": "{(1, 2): 3}; {frozenset({1}): 2}; cached((1, 2)); {Plain(): 1}",
    "a loop that is left": "while True: break",
    "what libraries take": (
        'haiku.Linear(3, name="first"); distrax.Normal(0.0, 1.0); einops.rearrange(hub.x, "a", a=1)'
    ),
}
"""What does not raise, although it looks alike."""


def _findings(lines: str) -> list[Finding]:
    program = HEAD + BODY.replace("{lines}", lines)
    return [each for each in findings_with_unknown_code(program) if each.code == "OAK501"]


@pytest.mark.parametrize("line", LACKING.values(), ids=LACKING)
def test_nothing_behind_what_a_value_lacks_is_proved(line: str) -> None:
    """No run reaches it: a build does not fail for it before the first error is repaired."""
    for finding in _findings(line):
        assert finding.confidence == "likely", weak_links(finding)


@pytest.mark.parametrize("line", WORKING.values(), ids=WORKING)
def test_what_values_have_takes_nothing_away(line: str) -> None:
    """A run gets behind it, and fails as the report says."""
    (finding,) = _findings(line.replace("; ", "\n            "))
    assert finding.weak == (), weak_links(finding)
