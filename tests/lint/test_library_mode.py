"""Library mode: what is annotated as an array is taken as traced, though nobody traces it.

When one of these fails, a library's own run misses what its users will hit, or is told of lines
that no trace reaches.
"""

from pathlib import Path
from textwrap import dedent

import pytest

from oakum_lint.app.analysis import analyse
from oakum_lint.domain.assumptions import NOTHING_ASSUMED, Assumptions
from oakum_lint.text.finding import Confidence, Finding

ANNOTATED = Assumptions(annotated=True)
HEAD = """
import dataclasses
from typing import Annotated, Any, NamedTuple, Optional, TypeVar, Union
import jax
import jax.numpy as jnp
import numpy as np
"""


def findings_of(program: str, assumptions: Assumptions = ANNOTATED, **others: str) -> list[Finding]:
    """The findings in a module of a library, beside other modules by their names."""
    files = {Path("/library/solver.py"): dedent(HEAD) + dedent(program)}
    files |= {Path(f"/library/{name}.py"): dedent(text) for name, text in others.items()}
    reports = analyse(list(files), overlay=files, assumptions=assumptions)
    return [finding for report in reports for finding in report.findings]


def codes_of(program: str, assumptions: Assumptions = ANNOTATED, **others: str) -> list[str]:
    return [finding.code for finding in findings_of(program, assumptions, **others)]


@pytest.mark.parametrize(
    "annotation",
    [
        "jax.Array",
        "jnp.ndarray",
        "'jax.Array'",
        "jax.typing.ArrayLike",
        "Optional[jax.Array]",
        "'jax.Array | None'",
        "Union[float, jax.Array]",
        "Annotated[jax.Array, 'meters']",
        "Tensor",
        "Real",
        "'Real'",
        "Measured",
        "jaxtyping.Float[jax.Array, 'n']",
        "shapes.Float['n']",
        "chex.Array",
    ],
)
def test_a_parameter_annotated_as_an_array_is_traced(annotation: str) -> None:
    """In every spelling, through aliases and from other modules."""
    program = f"""
    import chex
    import jaxtyping
    import shapes
    from shapes import Tensor
    Real = Union[float, Tensor]
    Measured = Tensor | None

    def step(x: {annotation}, steps: int):
        if x is None:
            return 0
        if steps > 3:
            return 1
        return 2 if x.sum() > 0 else 3
    """
    shapes = """
    import jax
    Tensor = jax.Array
    class Shaped:
        def __getitem__(self, shape):
            return Tensor
    Float = Shaped()
    """
    (finding,) = findings_of(program, shapes=shapes)
    assert finding.code == "OAK201"
    assert finding.confidence is Confidence.LIKELY
    assert "traced by assumption (arrays annotated in `step`)" in finding.notes[0]
    assert "`x` is annotated as an array, and taken as traced" in {
        related.message for related in finding.related
    }
    assert findings_of(program, NOTHING_ASSUMED, shapes=shapes) == []


def test_what_may_be_differentiated_is_traced_too() -> None:
    """A norm has a gradient to look at, under which values are known: that is no trace."""
    program = """
    class Sphere:
        def exp(self, x: jax.Array, v: jax.Array):
            length = jnp.linalg.norm(v)
            if length < 1e-15:
                return x
            return jnp.cos(length) * x + jnp.sin(length) * v / length
    """
    assert "OAK201" in codes_of(program)
    assert "OAK201" not in codes_of(program, NOTHING_ASSUMED)


def test_what_draws_figures_is_not_traced() -> None:
    program = """
    from matplotlib import pyplot as plt

    def show(x: jax.Array):
        figure, axes = plt.subplots()
        axes.set_xlim(0, float(jnp.max(x)))
        return figure
    """
    assert codes_of(program) == []


@pytest.mark.parametrize(
    "annotation",
    [
        *("int", "float", "bool", "Any", "np.ndarray", "str", "tuple[int, ...]", "type[jax.Array]"),
        "Annotated[float, jax.Array]",
        "Setting['rate']",
    ],
)
def test_other_annotations_prove_nothing(annotation: str) -> None:
    """A number may be a tracer or not: its annotation does not tell."""
    program = f"""
    def step(x: {annotation}, y: jax.Array):
        return float(x) if x > 0 else y
    """
    assert codes_of(program) == []


def test_a_parameter_that_is_used_as_an_array_is_traced() -> None:
    """Without an annotation, what a function passes to one that takes arrays alone is one; what may
    be a size or a rate, and what was made again before, is not.
    """
    program = """
    def softened(x, scale, size, rate):
        if size > 3 or rate > 1:
            return jnp.sqrt(size) * rate
        scale = np.float32(3)
        total = jnp.sum(scale)
        if scale > 0:
            return total
        return jnp.sum(x) if x > 0 else 3  #! OAK201
    """
    (finding,) = findings_of(program)
    assert (finding.code, finding.location.line) == ("OAK201", 15)
    assert "`x` is used as an array here, and taken as traced" in {
        related.message for related in finding.related
    }


@pytest.mark.parametrize(
    "documented",
    [
        "x, y : jnp.ndarray",
        "x : jax.Array, shape (n,)",
        "x : array_like",
        "x: float or ndarray",
        "x (jax.Array): what is scaled",
        "x (jnp.ndarray of shape (n, 3)): what is scaled",
        ":type x: jnp.ndarray",
        ":param jax.Array x: what is scaled",
    ],
)
def test_a_parameter_that_is_documented_as_an_array_is_traced(documented: str) -> None:
    program = f"""
    def scaled(x, y):
        \"\"\"Scales a vector.

        {documented}
        \"\"\"
        length = jnp.linalg.norm(y) + 1
        return x / length if x.max() > 1 else x
    """
    (finding,) = findings_of(program)
    assert finding.code == "OAK201"
    assert "`x` is documented as an array, and taken as traced" in {
        related.message for related in finding.related
    }


@pytest.mark.parametrize(
    "documented",
    [
        *("x : float", "x : np.ndarray", "x (list of arrays): rows", "x: Array of the rows"),
        *("y : jax.Array", "x : int or str", "x : Callable[[jax.Array], float]"),
    ],
)
def test_other_words_of_a_docstring_prove_nothing(documented: str) -> None:
    program = f"""
    def scaled(x, rows):
        \"\"\"Scales rows.

        {documented}
        \"\"\"
        return jnp.exp(rows[0]) if x.max() > 1 else x

    def counted(x):
        \"\"\"Counts on the host.

        x : array_like
        \"\"\"
        return np.sum(x) if x.max() > 1 else 0
    """
    assert codes_of(program) == []


def test_a_parameter_that_holds_arrays_or_is_another_variable_there_is_not_traced() -> None:
    """What is put together may be a list; and the name may have another value in the call."""
    program = """
    def joined(parts):
        return jnp.concatenate(parts) if parts else None

    def unpacked(batch):
        if batch:
            batch, labels = batch
            return jnp.mean(batch) + labels

    def each(rows):
        for rows in rows if rows else ():
            jnp.sum(rows)

    def every(rows):
        return [jnp.sum(rows) for rows in rows] if rows else []

    def later(rows):
        return (lambda rows: jnp.sum(rows)) if rows else None
    """
    assert codes_of(program) == []


def test_a_class_of_the_project_is_no_array_because_of_its_name() -> None:
    program = """
    class Array:
        def __init__(self, items):
            self.items = items

    def first(rows: Array, labels: "Array", stored: "elsewhere.Array"):
        if rows and labels:
            return 0
        return 1 if stored else 2  #! OAK201
    """
    assert [(f.code, f.location.line) for f in findings_of(program)] == [("OAK201", 15)]


def test_containers_of_arrays_hold_tracers() -> None:
    program = """
    from jaxtyping import PyTree

    def sizes(counts: PyTree[int], weights: PyTree[jax.Array]):
        for count in jax.tree.leaves(counts):
            if count > 0:
                return count
        return float(jax.tree.leaves(weights)[0] * 2)

    def step(pair: tuple[jax.Array, int], rows: list[jax.Array], named: dict[str, jax.Array]):
        if pair[1] > 0:
            return float(pair[0])
        for row in rows:
            if row > 0:
                return [bool(value) for value in named.values()]
    """
    assert codes_of(program) == ["OAK204", "OAK204", "OAK201", "OAK204"]


def test_what_is_handed_to_the_host_by_name_is_meant_for_it() -> None:
    """Code that plots or saves takes arrays, too."""
    program = """
    def draw(areas: jax.Array, figure):
        figure.add(np.asarray(areas), jax.device_get(areas))
        return np.log(areas)
    """
    assert codes_of(program) == ["OAK208"]


@pytest.mark.parametrize(
    "head",
    [
        "class State(NamedTuple):",
        "@dataclasses.dataclass\nclass State:",
        "import flax.struct\n@flax.struct.dataclass\nclass State:",
        "import equinox\nclass State(equinox.Module):",
        "import vendored\n@vendored.dataclass\nclass State:",
        "import vendored\nclass State(vendored.Node):",
    ],
)
def test_annotated_fields_are_traced_in_methods_and_in_parameters(head: str) -> None:
    program = f"""
{head}
    mean: jax.Array
    count: int

    def scaled(self, other: "State"):
        if self.count > 3 and other.count > 3:
            return None
        if self.mean > 0:
            return other.mean
        return float(other.mean)

def step(state: "State"):
    return int(state.mean)
"""
    vendored = """
    import dataclasses
    from typing import dataclass_transform
    def dataclass(cls):
        return dataclasses.dataclass(frozen=True)(cls)
    @dataclass_transform()
    class Node:
        def __init_subclass__(cls):
            dataclass(cls)
    """
    found = findings_of(program, vendored=vendored)
    assert [finding.code for finding in found] == ["OAK201", "OAK204", "OAK204"]
    assert all(finding.confidence is Confidence.LIKELY for finding in found)


def test_the_leaves_of_a_registered_class_are_traced_and_its_other_data_is_not() -> None:
    program = """
    @jax.tree_util.register_pytree_node_class
    class Shear:
        def __init__(self, g, flags):
            self._g = g
            self._flags = flags

        @property
        def size(self):
            if self._flags["exact"]:
                return 1
            return 2 if abs(self._g) > 1 else 3

        def tree_flatten(self):
            return (self._g,), {"flags": self._flags}

        @classmethod
        def tree_unflatten(cls, auxiliary, children):
            return cls(children[0], **auxiliary)
    """
    assert codes_of(program) == ["OAK201"]


def test_what_a_constructor_is_given_is_traced_in_methods() -> None:
    program = """
    class Inner:
        def __init__(self, outer: "Law", shift: jax.Array):
            self.outer, self.shift = outer, shift

    class Law:
        def __init__(self, scale: jax.Array, name: str, inner: Inner):
            self.width = jnp.asarray(scale) * 2
            self.name = name
            self.inner = inner
            self.cache = scale

        def reset(self):
            self.cache = None

        def draw(self):
            if self.name == "flat" or self.cache:
                return 0
            if self.inner.shift > 0:
                return 1
            return 2 if self.width > 0 else 3
    """
    assert codes_of(program) == ["OAK201", "OAK201"]


def test_static_fields_are_not_traced() -> None:
    program = """
    import equinox
    import flax.struct

    class Model(equinox.Module):
        table: jax.Array = equinox.field(static=True)
        def __call__(self, x):
            return x if self.table > 0 else -x

    @flax.struct.dataclass
    class State:
        table: jax.Array = flax.struct.field(pytree_node=False)
        def pick(self):
            return 1 if self.table > 0 else 2
    """
    assert codes_of(program) == ["OAK106", "OAK106"]


@pytest.mark.parametrize(
    "guard",
    [
        "if isinstance(x, jax.core.Tracer):\n        return x",
        "if not jax.core.is_concrete(x):\n        return x",
        "if _is_tracer(x):\n        return x",
    ],
)
def test_a_guard_that_leaves_first_clears_what_follows(guard: str) -> None:
    program = f"""
def _is_tracer(value):
    return isinstance(value, jax.core.Tracer)

def step(x: jax.Array):
    {guard}
    return float(x)
"""
    assert codes_of(program) == []


@pytest.mark.parametrize(
    "block",
    [
        "if not isinstance(x, jax.core.Tracer):\n        return float(x)",
        "if not isinstance(x, jax.core.Tracer) and float(x) > 0:\n        return 1",
        "if not_jax_tracer(x) and np.all(x > 0):\n        return 1",
        "try:\n        return float(x)\n    except Exception:\n        pass",
        "x = jax.core.concrete_or_error(None, x)\n    return float(x)",
    ],
)
def test_a_guard_around_a_line_clears_it(block: str) -> None:
    program = f"""
from numpyro.util import not_jax_tracer

def step(x: jax.Array):
    {block}
    return x
"""
    assert codes_of(program) == []


def test_an_isinstance_of_arrays_is_no_guard() -> None:
    """Tracers are instances of `jax.Array`: the branch for arrays is the one that fails."""
    program = """
    def step(dt: float):
        if isinstance(dt, jax.Array):
            dt = dt.item()
        return dt
    """
    assert codes_of(program) == ["OAK204"]


def test_methods_that_show_a_value_or_turn_it_into_a_number_run_on_the_host() -> None:
    program = """
    class State(NamedTuple):
        mean: jax.Array
        def __repr__(self):
            return f"{self.mean:.2f}"
        def __float__(self):
            return float(self.mean)
    """
    assert codes_of(program) == []


def test_a_new_object_may_keep_its_arrays() -> None:
    """An object is as old as the trace that makes it."""
    program = """
    class Line:
        def __init__(self, slope: jax.Array, name: str):
            self.slope = slope
            self.name = name

    @dataclasses.dataclass
    class Curve:
        points: jax.Array
        def shift(self, by: jax.Array):
            self.points = self.points + by
    """
    assert codes_of(program) == []


def test_a_line_that_a_transform_reaches_is_proved_and_reported_once() -> None:
    program = """
    def helper(x: jax.Array):
        return 1 if x > 0 else 2

    @jax.jit
    def step(x: jax.Array):
        return helper(x)
    """
    (finding,) = findings_of(program)
    assert finding.confidence is Confidence.PROVED
    assert "jax.jit" in finding.notes[0]


def test_what_a_callback_runs_is_on_the_host() -> None:
    program = """
    def show(x: jax.Array):
        print(float(x))

    def step(x: jax.Array):
        jax.debug.callback(show, x)
        return x
    """
    assert codes_of(program) == []


def test_what_makes_functions_and_what_counts_runs_on_the_host() -> None:
    """A factory is called once, before anything is traced; a buffer keeps a position."""
    program = """
    from collections.abc import Callable

    def weights_for(box: jax.Array) -> Callable[[float], jax.Array]:
        size = max(box[1] - box[0])
        return lambda step: step / size

    class Buffer:
        def __init__(self, shape):
            self.rows = np.zeros((8, *shape), dtype=np.float32)
            self.position = 0

        def add(self, row: jax.Array):
            self.rows[self.position] = row
            self.position += 1

    class Window:
        def __init__(self, shape):
            self.rows = np.zeros((8, *shape), dtype=np.float32)

        def add(self, row: jax.Array):
            self.rows[-1] = row
    """
    assert [(f.code, f.location.line) for f in findings_of(program)] == [("OAK215", 28)]


def test_what_tests_do_is_not_taken_as_traced() -> None:
    test = """
    import jax

    def check_close(one: jax.Array, other: jax.Array):
        assert one < other
    """
    files = {Path("/library/tests/test_solver.py"): dedent(test)}
    reports = analyse(list(files), overlay=files, assumptions=ANNOTATED)
    assert [finding for report in reports for finding in report.findings] == []


def test_a_declared_entry_point_is_traced_with_all_it_takes() -> None:
    program = """
    class Solver:
        def step(self, state, rate, name: str = "euler"):
            if name == "euler":
                return state.energy + 1 if rate * 2 > 0 else state
            return state

    def other(state):
        return 1 if state * 2 > 0 else 2
    """
    declared = Assumptions(entry_points=["solver.Solver.step"])
    (finding,) = findings_of(program, declared)
    assert finding.code == "OAK201"
    assert "traced by declaration (entry point `step`)" in finding.notes[0]
    assert codes_of(program, Assumptions(entry_points=["solver.*"])) == ["OAK201", "OAK201"]
    assert codes_of(program) == []


def test_types_that_are_imported_for_checkers_only_are_known() -> None:
    program = """
    from __future__ import annotations
    from typing import TYPE_CHECKING
    if TYPE_CHECKING:
        from kinds import Signal

    def step(x: Signal):
        return 1 if x > 0 else 2
    """
    assert codes_of(program, kinds="import jax\nSignal = jax.Array") == ["OAK201"]


def test_a_distribution_names_its_parameters() -> None:
    """NumPyro registers distributions as pytrees by their constraints."""
    program = """
    import numpyro.distributions as dist

    class Law(dist.Distribution):
        arg_constraints = {"alpha": dist.constraints.real}
        def __init__(self, alpha, name):
            self.alpha, self.name = alpha, name
        def sample(self, key):
            if self.name == "flat":
                return 0.0
            return 1.0 if self.alpha == -1.0 else 2.0
    """
    assert codes_of(program) == ["OAK201"]


def test_a_class_that_a_call_makes_hides_nothing_beside_it() -> None:
    """No text shows what it holds: its instances are not known, and the arrays beside them are."""
    program = """
        import collections

        Box = collections.namedtuple("Box", "low high")
        Span = NamedTuple("Span", [("low", float), ("high", float)])
        Kind = type("Kind", (), {"scale": 1.0})

        def clip(box: Box, span: Span, kind: Kind, x: jax.Array):
            if box.low > span.low * kind.scale:
                return x
            if x > box.low:
                return x
            return box.high
        """
    (finding,) = findings_of(program)
    assert (finding.code, finding.message) == ("OAK201", "`if` on traced value `x > box.low`")


@pytest.mark.parametrize(
    ("declared", "default", "is_found"),
    [
        ("bool", "False", True),
        ("Any", "False", False),
        ("bool", "None", False),
        ("bool", "jnp.array(True)", False),
    ],
)
def test_a_flag_that_is_inverted_like_an_array_is_likely_a_bool(
    declared: str, default: str, is_found: bool
) -> None:
    """The number that comes of it counts as true, whatever the flag is."""
    program = f"""
        @dataclasses.dataclass
        class Solver:
            tolerance: float = 1e-3
            stops: {declared} = {default}

            def goes_on(self, state):
                return (state.error > self.tolerance) & (~self.stops | ~state.failed)


        def masked(x, keep: {declared} = {default}):
            return jnp.where(~keep, x, 0.0)
        """
    found = [
        finding.confidence
        for finding in findings_of(program)
        if finding.code != "OAK216"  # an array as the default of a field
    ]
    assert found == (2 * [Confidence.LIKELY] if is_found else [])
    assert "OAK219" not in codes_of(program, NOTHING_ASSUMED)


def test_files_that_are_not_named_are_assumed_traced_where_they_use_the_named_one_alone() -> None:
    """A check of one file would take as long as one of all its users: with OTT's solvers and tests
    behind a module of `ott.math`, a minute, in place of two seconds.
    """
    named = Path("/library/roots.py")
    user = Path("/library/user.py")
    files = {
        named: dedent(HEAD) + "def root(x):\n    if x > 0:\n        return x\n    return -x\n",
        user: dedent(HEAD)
        + "from roots import root\n"
        + "def uses(x: jax.Array):\n    return root(x)\n"
        + "# Apart.\ndef apart(x: jax.Array):\n    return float(x)\n",
    }
    reports = analyse([named], overlay=files, assumptions=ANNOTATED, dependents=[user])
    found = [(Path(f.location.file).name, f.code) for one in reports for f in one.findings]
    assert found == [("roots.py", "OAK201")]


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        ("str", []),
        ("str | list[str]", []),
        ("Optional[str]", []),
        ("jax.Array", ["OAK204"]),
        ("dict[str, jax.Array]", ["OAK204"]),
    ],
)
def test_what_returns_texts_runs_on_the_host(returned: str, found: list[str]) -> None:
    """A program that is compiled returns arrays alone."""
    program = f"""
        def decode(tokens: jax.Array) -> {returned}:
            return vocabulary[tokens.tolist()]
        """
    assert codes_of(program) == found
