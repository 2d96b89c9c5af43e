"""OAK602: a gradient is NaN at the edge of a function's domain."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted, shown
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses.gradients import singularities


class NanGradient(Rule["singularities.NanGradient"]):
    """## What it does
    Finds derivatives at the edge of a function's domain:

    - `jnp.where` around a logarithm, a root or a division, by a test of its own argument, or of a
      root or a length itself against zero, and `jnp.nan_to_num` around one;
    - `jnp.where` by a test of NaN around a product or a power of what may be NaN;
    - norms, deviations and roots of sums of squares at zero, deviations of equal elements, the
      distances of all points from each other, which are zero on the diagonal, also where two maps
      go over the points, and angles at the origin;
    - norms and roots of sums of squares to which something small is added, or which it bounds, so
      that they may be zero: `jnp.linalg.norm(x) + 1e-8`;
    - roots, logarithms and the like of what `maximum`, `minimum` or `clip` bounds at the very edge,
      and of products of it and sums with numbers: `jnp.log(1 - jnp.clip(p, 1e-8, 1 - 1e-8))`, as
      `1 - 1e-8` is 1 in single precision; and of the zeros of `jnp.where` times something that is
      differentiated, too: `jnp.sqrt(scale * jnp.where(mask, x, 0.0))`;
    - logarithms of what floating point rounds to 0 or to infinity: of `sigmoid`, `softmax` or
      `exp(-x**2)`, of `1 - tanh(x)**2`, or of `1 + exp(x)`;
    - roots and other powers of negative numbers, and `jnp.arccos` and `jnp.arcsin` at 1 and -1 or
      beyond, where the number is known.

    ## Why it matters
    Both branches are computed and differentiated. The one that is not selected gets a cotangent of
    zero, and zero times its infinite derivative is NaN.

    ## Example
    ```python
    def safe_log(x):
        return jnp.where(x > 0.0, jnp.log(x), 0.0)


    gradient = jax.grad(safe_log)(0.0)
    ```

    ## Use instead
    Keep the argument off the edge too:
    ```python
    def safe_log(x):
        positive = x > 0.0
        return jnp.where(positive, jnp.log(jnp.where(positive, x, 1.0)), 0.0)


    gradient = jax.grad(safe_log)(0.0)
    ```

    ## Known limits
    Whether the argument ever is at the edge is mostly not known, so a finding about `where` or
    about a bound is likely and never proved. So is one about a known number where arrays are
    selected or compared around it; nothing is reported where the result itself is selected. A
    function that nobody here calls is likely to be differentiated by users of the library,
    where it selects around an edge, bounds at one, or keeps a length off zero, so that the edge is
    reached; other roots of sums of squares and the like are not reported there.

    ## Fix
    A second `jnp.where` gives the function a harmless argument where its result is not selected,
    also in the statement above in which it is called; a bound at the edge of the domain becomes one
    a little off it, `jnp.clip(x, -1.0 + 1e-6, 1.0 - 1e-6)` for `jnp.arccos`; `jnp.linalg.norm(x) **
    2` becomes `jnp.sum(x**2)`, and `jnp.sqrt(x)` the same root where `x` is not zero, and zero
    where it is; so does a length, and a root of what is bounded by zero. `jnp.linalg.norm(x) +
    1e-6` becomes `jnp.sqrt(jnp.sum(x**2) + 1e-12)`, and the logarithm of a softmax or a sigmoid the
    function of both. Safe: the values stay the same. Unsafe for
    `**`, whose value for a negative number of Python is complex, for a division that NumPy may
    compute for another caller, with 64 bits, for a length, which is a real float of complex numbers
    too, where what is guarded is summed, and for a bound or a logarithm, which is another value.
    There is none for functions that take a root within, such as `jnp.std`.

    ## At run time
    Nothing: the gradient is NaN. `jax.config.update("jax_debug_nans", True)` has it raise.
    https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where
    """

    code = Code(
        "OAK602",
        "nan-gradient",
        "A gradient is NaN at the edge of a function's domain",
        "The branch that where does not select is differentiated too, and zero times infinity "
        "is NaN.",
        "Guard the argument as well: jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1)), 0).",
    )
    confidence = (
        "proved where the edge of the domain is reached by a value that is seen; likely for "
        "the derivative at a single point, at a bound or where elements may be equal"
    )
    fixes = (Safety.SAFE, Safety.UNSAFE)
    keeps_results = True
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax
import jax.numpy as jnp


def safe_log(x):
    return jnp.where(x > 0.0, jnp.log(x), 0.0)  #! OAK602


assert jnp.isnan(jax.grad(safe_log)(0.0))
""",
        """\
import jax
import jax.numpy as jnp


def penalty(w):
    return jnp.linalg.norm(w) ** 2  #! OAK602


def ratio(x, y):
    quotient = y / x
    mask = x != 0
    return jnp.sum(jnp.where(mask, quotient, 0.0))  #! OAK602


assert jnp.isnan(jax.grad(penalty)(jnp.zeros(3))).all()
assert jnp.isnan(jax.grad(ratio)(jnp.zeros(2), jnp.ones(2))).all()
""",
        """\
import jax
import jax.numpy as jnp


def spread(x):
    return jnp.std(x)  #! OAK602


def distances(points):
    differences = points[:, None] - points[None, :]
    squares = jnp.sum(differences**2, axis=-1)
    return jnp.sum(jnp.sqrt(squares))  #! OAK602


def length(w):
    return jnp.sqrt((w**2).sum())  #! OAK602


def heading(v):
    return jnp.arctan2(v[1], v[0])  #! OAK602


assert jnp.isnan(jax.grad(spread)(jnp.zeros(3))).all()
assert jnp.isnan(jax.grad(distances)(jnp.ones((3, 2)))).all()
assert jnp.isnan(jax.grad(length)(jnp.zeros(3))).all()
assert jnp.isnan(jax.grad(heading)(jnp.zeros(2))).all()
""",
        """\
import jax
import jax.numpy as jnp


def encoded(x):
    return jnp.where(x > 0.25, x ** (1 / 2.4), 2.0 * x)  #! OAK602


assert jnp.isnan(jax.grad(encoded)(0.0))
""",
        """\
import jax
import jax.numpy as jnp


def normalized(x):
    return x[0] / jnp.std(x)  #! OAK602


def spread(x):
    return jnp.sqrt(jnp.var(x))  #! OAK602


def global_norm(params):
    return sum(jnp.sum(leaf**2) for leaf in params.values()) ** 0.5  #! OAK602


def entropies(p):
    return jnp.sum(jnp.nan_to_num(p * jnp.log(p)))  #! OAK602


def chosen(x):
    return jnp.sum(jnp.select([x > 0, x <= 0], [jnp.log(x), x]))  #! OAK602


assert jnp.isnan(jax.grad(normalized)(jnp.ones(3))).any()
assert jnp.isnan(jax.grad(spread)(jnp.full(4, 3.0))).all()
assert jnp.isnan(jax.grad(global_norm)({"w": jnp.zeros(2), "b": jnp.array([0.0])})["w"]).all()
assert jnp.isnan(jax.grad(entropies)(jnp.array([0.0, 1.0]))).any()
assert jnp.isnan(jax.grad(chosen)(jnp.array([0.0, 1.0]))).any()
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp


def safe_log(x):
    positive = x > 0.0
    return jnp.where(positive, jnp.log(jnp.where(positive, x, 1.0)), 0.0)


def floored(x):
    return jnp.where(x > 0.0, jnp.log(jnp.maximum(x, 1e-6)), 0.0)


jax.grad(safe_log)(0.0)
jax.grad(floored)(0.0)
""",
        """\
import jax
import jax.numpy as jnp


def masked(x, mask):
    return jnp.sum(jnp.where(mask > 0, jnp.log(x), 0.0)) + jnp.linalg.norm(x)


def selected(x):
    return jnp.where(x > 0.0, x**2, 0.0)


def energy(points):
    differences = points[:, None] - points[None, :]
    return jnp.sqrt(jnp.sum(differences**2)) + jnp.sqrt(jnp.sum(differences**2, -1) + 1e-6).sum()


def length(x):
    return jnp.linalg.norm(x, ord=1) + jnp.std(x + jnp.arange(3.0))


def spread(x):
    return jnp.sqrt(jnp.var(x) + 1e-6) + jnp.nan_to_num(x).sum()


assert jnp.isfinite(jax.grad(length)(jnp.zeros(3))).all()
assert jnp.isfinite(jax.grad(spread)(jnp.ones(3))).all()
jax.grad(masked)(jnp.ones(3), jnp.ones(3))
jax.grad(selected)(0.0)
jax.grad(energy)(jnp.arange(4.0))
jnp.where(jnp.zeros(3) > 0, jnp.log(jnp.zeros(3)), 0.0)
""",
    )

    def check(self, event: "singularities.NanGradient") -> Iterator[Finding]:
        """Reports each gradient that is NaN at an edge."""
        function = event.function
        likely = event.weakened("it is NaN at some values only")
        if event.partly:
            yield self.finding(
                likely,
                headline("gradient of `{}` is NaN on the diagonal", function),
                f"Keep the diagonal off zero: pass `{shown(function)}` a "
                "`jnp.where(apart, argument, 1.0)`, and select by `apart` again.",
                "it is differentiated at zero there: each element is subtracted from itself",
            )
        elif event.corner:
            yield self.finding(
                event,
                headline("gradient of `{}` is NaN where both its arguments are zero", function),
                "Pass other arguments there, by `jnp.where`, and select again.",
                f"`{shown(function)}` is differentiated there",
            )
        elif event.number is not None:
            outcome = "NaN" if event.beyond else "infinite"
            yield self.finding(
                event,
                headline(f"gradient of `{{}}` is {outcome} at {event.number:g}", function),
                f"Keep the argument within the domain: pass `{shown(function)}` a "
                "`jnp.where(condition, argument, 0.5)`, and select by `condition` again.",
                f"`{shown(function)}` is differentiated there",
            )
        elif event.equal:
            yield self.finding(
                event,
                headline("gradient of `{}` is NaN where all elements are equal", function),
                f"Take the root of `jnp.var({quoted(event, 'x')}) + epsilon`.",
                f"`{shown(function)}` is differentiated there",
            )
        elif event.small or event.bounded or event.chosen or event.rounded or event.hidden:
            yield self._kept_off(event, likely)
        elif not event.names:
            yield self.finding(
                event,
                headline("gradient of `{}` is NaN at zero", function),
                f"Square it without the root: `jnp.sum({quoted(event, 'x')} ** 2)`, or guard the "
                "argument with `jnp.where`.",
                f"`{shown(function)}` is differentiated there",
            )
        elif event.masked:
            names = " and ".join(f"`{name}`" for name in event.names)
            yield self.finding(
                likely,
                headline(f"gradient of `{{}}` is NaN where {names} is, masked or not", function),
                f"Take the NaN out before: `jnp.where(jnp.isnan({event.names[0]}), 0.0, "
                f"{event.names[0]})`, and select behind again.",
                "what `where` does not select is differentiated too, and zero times NaN is NaN",
            )
        else:
            yield self.finding(
                likely,
                headline(
                    "gradient of `{}` is NaN where `where` masks {}",
                    function,
                    " and ".join(f"`{name}`" for name in event.names),
                ),
                f"Guard the argument too: pass `{shown(function)}` a "
                "`jnp.where(condition, argument, 1.0)`.",
                f"`{shown(function)}` is differentiated at the edge of its domain all the same",
            )

    def _kept_off(
        self, event: "singularities.NanGradient", likely: "singularities.NanGradient"
    ) -> Finding:
        """The finding about what keeps a value off an edge, or hides that it is there."""
        function = event.function
        if event.rounded:
            return self.finding(
                likely,
                headline("gradient of `{}` is NaN where `{}` is rounded", function, event.rounded),
                "Take the logarithm of the formula: `jax.nn.log_softmax`, `jax.nn.log_sigmoid`, "
                "`jax.nn.softplus`, or what stands in the exponent.",
                f"far from zero `{shown(event.rounded)}` is its limit, with a derivative of zero, "
                f"and that of `{shown(function)}` is infinite there",
            )
        if event.small:
            return self.finding(
                likely,
                headline("gradient of `{}` is NaN at zero in spite of the epsilon", function),
                "Add the epsilon under the root: `jnp.sqrt(jnp.sum(x**2) + epsilon)`.",
                "what is added to a length, or bounds it, leaves its derivative at zero as it is",
            )
        if event.chosen:
            return self.finding(
                likely,
                headline("gradient of `{}` is NaN at the zeros of a selection", function),
                f"Select a number off the edge, such as 1, for the argument of `{shown(function)}`,"
                " and select again behind it.",
                "what the zeros are multiplied by has a derivative of zero times infinity",
            )
        if event.bounded:
            return self.finding(
                likely,
                headline("gradient of `{}` is NaN beyond the bound of its argument", function),
                "Bound the argument a little off the edge of the domain, by what its floats can "
                "take from that: 1e-6.",
                "it is differentiated at the bound, where its derivative is infinite",
            )
        return self.finding(
            likely,
            headline(f"`{event.hidden}` hides NaN in `{{}}`, not in its gradient", function),
            f"Keep the argument off the edge: pass `{shown(function)}` a "
            "`jnp.where(condition, argument, 1.0)`.",
            f"`{shown(function)}` is differentiated at the edge of its domain",
        )

    def fix(self, event: "singularities.NanGradient", site: Site) -> Fix | None:
        """Keeps the function off the edge."""
        from oakum_lint.fixes.arrays.domain_bounds import bound_off_edge
        from oakum_lint.fixes.arrays.log_formulas import log_at_once
        from oakum_lint.fixes.arrays.nan_guards import guard_argument, keep_off_zero
        from oakum_lint.fixes.arrays.small_lengths import add_under_root

        if event.bounded:
            return keep_off_zero(site) or bound_off_edge(site)
        if event.small:
            return add_under_root(site) or keep_off_zero(site)
        if event.corner or event.equal or event.number is not None:
            return None
        if event.rounded:
            return log_at_once(site)
        if event.chosen:
            # Which number is harmless is for the author to say.
            return None
        if event.masked:
            # What it masks may have been reduced before.
            return None
        return guard_argument(site, event.function) if event.names else keep_off_zero(site)
