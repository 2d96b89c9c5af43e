"""How Python's classes are followed: inheritance, properties, dataclasses, special methods."""

import pytest
from small_programs import assert_reported, findings_of

CLASSES = {
    "attribute of self": """
        class Model:
            def __init__(self, scale):
                self.scale = scale

            def __call__(self, x):
                if self.scale > 0:
                    return x
                return float(x)

        model = Model(2.0)
        jax.jit(model)(jnp.ones(()))
    """,
    "method of a base class": """
        class Base:
            def check(self, x):
                return bool(x)  #! OAK204

        class Model(Base):
            def run(self, x):
                return self.check(x)

        jax.jit(Model().run)(jnp.ones(()))
    """,
    "override hides the base": """
        class Base:
            def check(self, x):
                return bool(x)

        class Model(Base):
            def check(self, x):
                return x

            def run(self, x):
                return self.check(x)

        jax.jit(Model().run)(jnp.ones(()))
    """,
    "super": """
        class Base:
            def __init__(self, n):
                self.n = n

            def run(self, x):
                return jnp.zeros(self.n) + int(x)  #! OAK204

        class Model(Base):
            def __init__(self):
                super().__init__(3)

            def run(self, x):
                return super().run(x)

        jax.jit(Model().run)(1.0)
    """,
    "property": """
        class Batch:
            def __init__(self, x):
                self.x = x

            @property
            def positive(self):
                return self.x > 0

        @jax.jit
        def f(x):
            if Batch(x).positive:  #! OAK201
                return x
            return -x
    """,
    "static and class methods": """
        class Ops:
            factor = 2

            @staticmethod
            def keep(x):
                return x

            @classmethod
            def scaled(cls, x):
                if cls.factor > 1:
                    return cls.keep(x)
                return x

        @jax.jit
        def f(x):
            return float(Ops.scaled(x))  #! OAK204
    """,
    "arithmetic of a class": """
        class Money:
            def __init__(self, amount):
                self.amount = amount

            def __add__(self, other):
                return Money(self.amount + other.amount)

            def __lt__(self, other):
                return self.amount < other.amount

        @jax.jit
        def f(x):
            total = Money(x) + Money(1.0)
            if total < Money(0.0):  #! OAK201
                return x
            return total.amount
    """,
    "dataclass": """
        from dataclasses import dataclass, field

        @dataclass
        class Options:
            n: int
            x: object = None
            names: list = field(default_factory=list)

        @jax.jit
        def f(x):
            options = Options(3, x=x)
            if options.n > 2:
                return jnp.zeros(options.n)
            return int(options.x)

        @jax.jit
        def g(x):
            return int(Options(3, x=x).x)  #! OAK204
    """,
    "dataclasses.replace": """
        import dataclasses

        @dataclasses.dataclass(frozen=True)
        class State:
            n: int
            x: object

        @jax.jit
        def f(x):
            state = dataclasses.replace(State(3, None), x=x)
            y = jnp.zeros(state.n)
            return y + float(state.x)  #! OAK204
    """,
    "NamedTuple is a pytree": """
        from typing import NamedTuple

        class State(NamedTuple):
            mean: object
            count: int = 0

        @jax.jit
        def f(state):
            return jnp.zeros(state.count)  #! OAK211

        f(State(jnp.ones(3), 2))
    """,
    "NamedTuple made inside keeps what is static": """
        from typing import NamedTuple

        class State(NamedTuple):
            mean: object
            count: int = 0

        @jax.jit
        def f(x):
            state = State(x)._replace(count=2)
            mean, count = state
            return jnp.zeros(count) + mean
    """,
    "namedtuple of collections": """
        from collections import namedtuple

        Pair = namedtuple("Pair", "left right")

        @jax.jit
        def f(x):
            pair = Pair(left=3, right=x)
            return jnp.zeros(pair.left) + int(pair.right)  #! OAK204
    """,
    "attribute of an object made outside": """
        class Meter:
            pass

        meter = Meter()

        @jax.jit
        def f(x):
            meter.last = x  #! OAK103
            inner = Meter()
            inner.last = x
            return inner.last
    """,
    "class attribute": """
        class Meter:
            last = None

        @jax.jit
        def f(x):
            Meter.last = x  #! OAK103
            return x
    """,
    "registered pytree class": """
        @jax.tree_util.register_pytree_node_class
        class Box:
            def __init__(self, x, n):
                self.x, self.n = x, n

            def tree_flatten(self):
                return (self.x,), self.n

            @classmethod
            def tree_unflatten(cls, aux, children):
                return cls(children[0], aux)

        @jax.jit
        def f(box):
            if box.n > 2:
                return jnp.zeros(box.n)
            if box.x > 0:
                return box.x
            return -box.x

        f(Box(jnp.ones(()), 3))
    """,
    "getattr and setattr": """
        class Options:
            pass

        options = Options()

        @jax.jit
        def f(x):
            local = Options()
            setattr(local, "x", x)
            return float(getattr(local, "x"))  #! OAK204
    """,
    "subscript of a class": """
        class Table:
            def __init__(self, rows):
                self.rows = rows

            def __getitem__(self, index):
                return self.rows[index]  #! OAK206

            def __len__(self):
                return len(self.rows)

        table = Table([1, 2, 3])

        @jax.jit
        def f(i):
            return table[i] + jnp.zeros(len(table))
    """,
    "match on a class": """
        from dataclasses import dataclass

        @dataclass
        class Circle:
            radius: object

        @jax.jit
        def f(x):
            match Circle(x):
                case Circle(radius=radius):
                    return int(radius)  #! OAK204
    """,
    "unknown base class": """
        from somewhere import Base

        class Model(Base):
            def run(self, x):
                return self.convert(x)

        @jax.jit
        def f(x):
            if Model().run(x):
                return x
            return -x
    """,
}


@pytest.mark.parametrize("name", list(CLASSES))
def test_classes_are_followed_as_python_runs_them(name: str) -> None:
    """A user's class neither hides a tracer nor makes one up."""
    assert_reported(CLASSES[name])


def test_a_metaclass_may_make_anything_of_what_a_class_assigns() -> None:
    """An enumeration of a library gives numbers for the texts in its body."""
    assert_reported("""
        from containers import Container

        class Results(metaclass=Container):
            successful = ""

        @jax.jit
        def passed(code, other):
            return code == other

        passed(jnp.zeros(()), Results.successful)
        """)


JITTED_IN_CLASS = """
class Line:
    def __init__(self, w):
        self.w = w

    @jax.jit
    def at(FIRST, x):
        return BODY
"""


@pytest.mark.parametrize(
    ("first", "body", "call", "confidence"),
    [
        ("self", "self.w @ x", "", "proved"),
        ("weight", "weight @ x", "", "likely"),
        ("weight", "weight.T @ x", "", "likely"),
        ("weight", "weight @ x", "Line(1.0).at(jnp.ones(3))", "proved"),
    ],
)
def test_a_jitted_function_of_a_class_that_nobody_calls_may_get_an_array(
    first: str, body: str, call: str, confidence: str
) -> None:
    program = JITTED_IN_CLASS.replace("FIRST", first).replace("BODY", body)
    (finding,) = findings_of(f"{program}\n{call}\n")
    assert (finding.code, finding.confidence) == ("OAK306", confidence)


@pytest.mark.parametrize("takes_tracers", [True, False])
def test_the_object_behind_an_annotation_is_one_whose_method_takes_tracers(
    takes_tracers: bool,
) -> None:
    """Models for the host and for the device have one base: who traces a call passes the second."""
    body = "jnp.where(i, x, -x)" if takes_tracers else "jnp.exp(x) if i else -x"
    found = findings_of(f"""
        class Model:
            def energy(self, i, x):
                raise NotImplementedError

        class OnHost(Model):
            def energy(self, i, x):
                if i:
                    return jnp.exp(x)
                return -x

        class OnDevice(Model):
            def energy(self, i, x):
                return {body}

        class Learner:
            model: Model

            def __init__(self, model):
                self.model = model
                self.update = jax.jit(self._update)

            def _update(self, x):
                return self.model.energy(x > 0, x)
        """)
    assert [finding.code for finding in found] == ([] if takes_tracers else ["OAK201", "OAK201"])
