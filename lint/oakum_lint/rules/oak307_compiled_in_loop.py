"""OAK307: a function is jitted in every iteration of a loop."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum_lint.fixes.site import Site
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses.recompilation import jit_in_loop


class CompiledInLoop(Rule["jit_in_loop.JitInLoop"]):
    """## What it does
    Finds `jit` of a lambda, a local function, a partial or the method of an object that is made,
    and called, in each iteration of a loop, or by a function that a loop calls; or in a method that
    is called in each step by its name (`update`, `train_step`, `predict`), and in any method or
    function that hands on what it gets, where nobody is seen to call it.

    ## Why it matters
    `jit` finds its compiled programs by the function object. A new object has none, so that each
    iteration traces and compiles again. Python makes a new object each time that `model.loss` is
    read. `eqx.filter_jit` does the same, but finds a method of the same object again; `nnx.jit`
    finds none, not even the same function.

    ## Example
    ```python
    for x in batches:
        step = jax.jit(lambda x: jnp.sin(x) ** 2)
        total += step(x)
    ```

    ## Use instead
    ```python
    step = jax.jit(lambda x: jnp.sin(x) ** 2)
    for x in batches:
        total += step(x)
    ```

    ## Known limits
    A lambda that captures the loop variable differs in every iteration: it is reported only where
    the variable could be an argument, as a float, or a number that is only added to the arguments
    or multiplied with them.

    A method or function that nobody is seen to call is passed over where its name says that it is
    called once or works for long (`fit`, `train`, `init...`, `make...`), where it calls what it has
    compiled in a loop of its own, and where it keeps, returns or hands on what it has compiled.

    ## Fix
    A function that is jitted in the lines of the loop itself, and reads nothing that the loop
    binds, is jitted before the loop. Unsafe: what else it reads may be changed in the loop, and is
    a constant of the compiled program (OAK113).

    ## At run time
    Nothing: the program is slow. `oakum run` reports a line that has a function compiled more than
    eight times.
    https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
    """

    code = codes.COMPILED_IN_LOOP
    confidence = (
        "proved where one innermost loop is seen to make the function and to call it; likely "
        "where an outer loop makes what an inner one calls"
    )
    severity = Severity.WARNING
    silent = True
    fixes = (Safety.UNSAFE,)
    bad = (
        """\
import jax
import jax.numpy as jnp

traced = []
total = 0.0
for scale in (1.0, 2.0, 3.0):
    step = jax.jit(lambda x: traced.append("step") or jnp.sin(x) ** 2)  #! OAK307
    total += scale * step(jnp.ones(()))
assert len(traced) == 3
""",
        """\
import jax
import jax.numpy as jnp

traced = []


def evaluate(x):
    def loss(w):
        traced.append("loss")
        return jnp.sum(w * w)

    return jax.jit(loss)(x)  #! OAK307


def train(steps):
    x = jnp.ones(3)
    for _ in range(steps):
        x = x - 0.1 * evaluate(x)
    return x


train(20)
assert len(traced) == 20
""",
        """\
import jax
import jax.numpy as jnp

traced = []


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, w):
        traced.append("loss")
        return jnp.sum(w**2)

    def descend(self):
        step = jax.jit(jax.grad(self.loss))  #! OAK307
        self.w = self.w - 0.1 * step(self.w)
        return self.w

    def predict(self, x):
        @jax.jit  #! OAK307
        def run(w, x):
            traced.append("predict")
            return x @ w

        return run(self.w, x)


model = Model(jnp.ones(3))
for _ in range(4):
    model.descend()
print([model.predict(jnp.ones(3)) for _ in range(3)])
for rate in (0.5, 0.25):
    print(jax.jit(lambda x: traced.append("decay") or x * rate)(jnp.ones(2)))  #! OAK307
assert len(traced) == 9
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: jnp.sin(x) ** 2)
total = 0.0
for scale in (1.0, 2.0, 3.0):
    total += scale * step(jnp.ones(()))
    total += jax.jit(jnp.cos)(total)
print(total > 0)
""",
        """\
import jax
import jax.numpy as jnp


def square(x):
    return x * x


steps = []
for power in (1, 2, 3):
    steps.append(jax.jit(lambda x, power=power: x**power))
    y = jax.jit(square)(jnp.ones(3))
print([step(2.0) > 0 for step in steps])
""",
    )

    def check(self, event: "jit_in_loop.JitInLoop") -> Iterator[Finding]:
        """Reports each."""
        occasion, elsewhere = "iteration of a loop", "before the loop"
        if event.method:
            occasion, elsewhere = f"call of `{event.method}`", "outside of it"
            elsewhere = "where the object is made" if event.of_object else elsewhere
        yield self.finding(
            event,
            headline(f"`{{}}` recompiles in every {occasion}", event.operand.source),
            f"Jit the function once, {elsewhere}.",
            "each makes a new compiled function, which is traced and compiled again",
        )

    def fix(self, event: "jit_in_loop.JitInLoop", site: Site) -> Fix | None:
        """Jits the function before the loop."""
        from oakum_lint.fixes.functions.hoisting import before_loop

        if event.method:
            return None
        return before_loop(site)
