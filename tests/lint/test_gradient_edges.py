"""Functions at the edges of their domains, behind everything that may lead there or guard it: where
a gradient is NaN or zero, and where it is not.
"""

from collections.abc import Callable

from small_programs import HEADER, findings_of

OUTER = (
    *("jnp.sqrt({})", "jnp.log({})", "jnp.linalg.norm({})", "jnp.std({})", "1 / ({})"),
    *("({}) ** 0.5", "({}) / jnp.sum({})", "jnp.arccos({})", "jnp.log1p({})", "jnp.abs({})"),
    *("jnp.power({}, 0.5)", "jnp.where({} > 0, jnp.sqrt({}), 0.0)", "jnp.sign({})"),
)
"""What has an edge: its derivative is infinite, or it has none."""
INNER = (
    *("x", "x - x", "x * 0", "x ** 2", "jnp.abs(x)", "jnp.sum(x)", "x - x[0]", "x[:, None] - x"),
    *("jnp.clip(x, 0, 1)", "jnp.clip(x, 1e-6, 1.0)", "jnp.maximum(x, 0)", "jnp.maximum(x, 1e-6)"),
    *("jax.nn.relu(x)", "jnp.exp(x)", "x + 1e-6", "x ** 2 + 1e-6", "jnp.sum(x ** 2)", "x - y"),
    *("jnp.where(x > 0, x, 0.0)", "jnp.where(x > 0, x, 1.0)", "lax.stop_gradient(x)", "x * y"),
    *("jnp.zeros_like(x) * x", "jnp.floor(x)", "x @ x", "x.at[0].set(0.0)", "1 - x", "x * (x > 0)"),
    *("jnp.clip(x, 0, 1) * y", "jnp.maximum(x, 0) * jnp.maximum(y, 0)", "jnp.exp(x) * x * 0"),
    *("jnp.round(x) + 0 * x", "-x", "x / 2", "x - lax.stop_gradient(x)", "jnp.arange(3.0) * x"),
)
"""What it is applied to."""


def test_gradients_at_edges_are_as_reviewed(golden: Callable[[str, str], None]) -> None:
    """A user is told of NaN that training meets, and of none that a guard prevents."""
    cases = [outer.replace("{}", inner) for outer in OUTER for inner in INNER]
    lines = [f"jax.grad(lambda x, y: jnp.sum({case}))(x, x + 1)" for case in cases]
    found: dict[int, list[str]] = {}
    for each in findings_of("\n".join(["x = jnp.ones(3)", *lines])):
        said = f"{each.code} {each.confidence.value}: {each.message}"
        found.setdefault(each.location.line, []).append(said)
    first = HEADER.count("\n") + 2
    rows = [f"{case}: {'; '.join(found.get(n, ['-']))}" for n, case in enumerate(cases, first)]
    golden("gradient_edges.txt", "\n".join(rows) + "\n")
