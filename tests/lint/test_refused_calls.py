"""What stands behind a call that raises for one of its arguments is not proved."""

import pytest
from small_programs import findings_of

MAPPED = """
from functools import partial


def crop(image, padding):
    return jnp.pad(image, ((padding, padding), (0, 0)))


@partial(jax.jit, static_argnums=(0,))
def crops(images, padding):
    return jax.vmap(crop, AXES)(images, padding)
"""


@pytest.mark.parametrize("axes", ["(0, None)", "in_axes=(0, None)"])
def test_a_static_argument_that_is_mapped_over_is_an_array(axes: str) -> None:
    found = {
        finding.code: finding.confidence for finding in findings_of(MAPPED.replace("AXES", axes))
    }
    assert found == {"OAK212": "likely", "OAK304": "likely"}


def test_a_static_argument_that_is_not_mapped_over_may_be_a_number() -> None:
    found = [finding.confidence for finding in findings_of(MAPPED.replace("AXES", "(None, 0)"))]
    assert found == ["proved"]


UNBOUND = """
def contacts(x):
    return jnp.minimum(x[:, 1], 0.0)


def simulate(x, count):
    FORCE
    force = force + contacts(x)
    return force


simulate(jnp.zeros(0), 0)
"""


@pytest.mark.parametrize(
    ("force", "confidence"),
    [("if count: force = jnp.zeros_like(x)", "likely"), ("force = jnp.zeros_like(x)", "proved")],
)
@pytest.mark.parametrize("stars", ["", "from math import *\n"])
def test_a_variable_that_nothing_has_bound_raises_before_the_call_behind_it(
    stars: str, force: str, confidence: str
) -> None:
    (finding,) = findings_of(stars + UNBOUND.replace("FORCE", force))
    assert (finding.code, finding.confidence) == ("OAK501", confidence)


TRACED_BOUND = """
def halves(lengths, block):
    def half(index, total):
        size = block - index
        mask = lengths[:BOUND]
        return total + jnp.pad(mask, (0, block - index)).sum()

    return lax.fori_loop(0, 3, half, 0)


halves(fetch(), 4)
"""


@pytest.mark.parametrize(("bound", "confidence"), [("size", "likely"), ("2", "proved")])
def test_a_slice_with_a_traced_bound_raises_before(bound: str, confidence: str) -> None:
    program = "from somewhere import fetch\n" + TRACED_BOUND.replace("BOUND", bound)
    found = {finding.code: finding.confidence for finding in findings_of(program)}
    assert found["OAK212"] == confidence


RAISING = """
@jax.jit
def flag(x):
    if x > 0:
        return x
    return -x
"""


@pytest.mark.parametrize(
    ("before", "confidence"),
    [
        ("import jax.nn.initializers", "proved"),
        ("import jax.optim", "likely"),
        ("from jax.util import vsub", "likely"),
        ("from jax.numpy import sigmoid", "likely"),
        ("from jax.numpy import *", "proved"),
        ("from jax import cloud_tpu_init", "proved"),
        ("from jax.experimental import optix", "likely"),
        ("from jax.experimental import enable_x64, sparse", "proved"),
        ("total = (1 +* 2)", "likely"),
    ],
)
def test_what_no_python_runs_is_not_proved(before: str, confidence: str) -> None:
    found = {finding.code: finding.confidence for finding in findings_of(f"{before}\n{RAISING}")}
    assert found["OAK201"] == confidence


MISFIT = """
def total(x):
    before = BEFORE
    return before, x + jnp.zeros(3)


total(jnp.zeros(2))
"""


@pytest.mark.parametrize(
    ("before", "confidence"),
    [
        ("jnp.linspace(0, 1, num=5)", "proved"),
        ("jnp.linspace(0, 1, steps=5)", "likely"),
        ("jnp.linspace()", "likely"),
        ("jnp.linspace(*sizes)", "proved"),
        ("jax.nn.relu(x)", "proved"),
        ("jax.nn.embedding(3, 4)", "likely"),
        ("jax.relu(x)", "likely"),
        ("jax.tree_map(jnp.sin, x)", "proved"),
        ("jax.config.jax_enable_x64", "proved"),
        ("jax.experimental.optimizers.Adam()", "likely"),
        ("jax.experimental.io_callback", "proved"),
        ("jax.lax.add_p", "proved"),
        ("lambda: jax.nn.embedding(3, 4)", "proved"),
    ],
)
def test_what_jax_does_not_have_raises_before(before: str, confidence: str) -> None:
    found = findings_of("sizes = (0, 1)\n" + MISFIT.replace("BEFORE", before))
    assert [each.confidence for each in found if each.code == "OAK501"] == [confidence]
