"""OAK108: a module of Linen is run without variables or keys that a layer in it needs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import missing_collection


class MissingCollection(Rule["missing_collection.MissingCollection"]):
    """## What it does
    Finds calls of `module.apply` of Flax Linen that leave out what a layer in the module asks for:
    `batch_stats` among the variables of a module with `nn.BatchNorm`, `mutable=["batch_stats"]`
    where that layer trains, and a key for the stream of an `nn.Dropout` that draws.

    ## Why it matters
    Linen keeps no state in the module. What a layer reads, changes or draws by comes in by `apply`,
    and Flax raises an error where it is not there.

    ## Example
    ```python
    def loss(params, x):
        return jnp.mean(Net().apply({"params": params}, x) ** 2)
    ```

    ## Use instead
    ```python
    def loss(params, batch_stats, x, key):
        y, changed = Net().apply(
            {"params": params, "batch_stats": batch_stats},
            x,
            mutable=["batch_stats"],
            rngs={"dropout": key},
        )
        return jnp.mean(y**2), changed["batch_stats"]
    ```

    ## Known limits
    The layer's flag (`use_running_average`, `deterministic`) has to be known, and what is passed: a
    dict of variables that is written out, keys of `rngs` too. Modules within transforms of Linen
    (`nn.vmap`, `nn.scan`) are not looked at.

    ## At run time
    `flax.errors.ScopeCollectionNotFound`, `flax.errors.ModifyScopeVariableError` and
    `flax.errors.InvalidRngError`, on the line of the layer.
    """

    code = Code(
        "OAK108",
        "missing-collection",
        "A module is run without variables or keys that a layer in it needs",
        "Linen keeps no state: what a layer reads, changes or draws by has to come in by `apply`.",
        "Pass the variables that `init` returned, `mutable` for those that change, and `rngs`.",
    )
    confidence = "proved where the flag of the layer and what is passed to `apply` are known"
    bad = (
        """\
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4)(x)
        return nn.BatchNorm(use_running_average=True)(x)  #~ ScopeCollectionNotFound


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((2, 3)))


@jax.jit
def loss(params, x):
    return jnp.mean(net.apply({"params": params}, x) ** 2)  #! OAK108


loss(variables["params"], jnp.ones((2, 3)))
""",
        """\
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        return nn.BatchNorm()(x, use_running_average=not train)  #~ ModifyScopeVariableError


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((2, 3)), train=False)
net.apply(variables, jnp.ones((2, 3)), train=False)
net.apply(variables, jnp.ones((2, 3)), train=True)  #! OAK108
""",
        """\
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dropout(0.5, deterministic=not train)(x)  #~ InvalidRngError
        return nn.Dense(4)(x)


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((2, 3)), train=False)
net.apply(variables, jnp.ones((2, 3)), train=True, rngs={"noise": jax.random.key(1)})  #! OAK108
""",
    )
    good = (
        """\
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    rate: float = 0.5

    @nn.compact
    def __call__(self, x, train):
        x = nn.Dropout(self.rate, deterministic=not train)(nn.Dense(4)(x))
        return nn.BatchNorm(use_running_average=not train)(x)


net = Net()
key = jax.random.key(0)
x = jnp.ones((2, 3))
variables = net.init(key, x, train=False)
params, batch_stats = variables["params"], variables["batch_stats"]
net.apply({"params": params, "batch_stats": batch_stats}, x, train=False)
y, changed = net.apply(variables, x, train=True, mutable=["batch_stats"], rngs={"dropout": key})
net.apply({"params": params}, x, train=True, mutable="batch_stats", rngs={"params": key})
Net(rate=0.0).apply(variables, x, train=True, mutable=True)
""",
        """\
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.BatchNorm(use_running_average=True)(nn.Dense(4)(x))
        return nn.Dropout(0.5)(x, deterministic=False, rng=jax.random.key(1)) if train else x


def evaluate(net, variables, x, **options):
    return net.apply(variables, x, train=False, **options)


net = Net()
x = jnp.ones((2, 3))
variables = net.init(jax.random.key(0), x, train=False)
evaluate(net, {**variables, "extra": {}}, x)
net.apply(variables, x, train=True)
""",
    )

    def check(self, event: "missing_collection.MissingCollection") -> Iterator[Finding]:
        """Reports each call of `apply` that lacks something."""
        layer, collection = event.layer, event.collection
        match event.lack:
            case "variables":
                yield self.finding(
                    event,
                    headline(f"`{{}}` finds no `{collection}` in these variables", layer),
                    "Pass all that `init` returned: "
                    f'`{{"params": params, "{collection}": {collection}}}`.',
                    "the layer raises ScopeCollectionNotFound",
                )
            case "mutable":
                yield self.finding(
                    event,
                    headline(f"`{{}}` may not change `{collection}` here", layer),
                    f'Pass `mutable=["{collection}"]` and keep what `apply` returns second, or '
                    "have the layer take its averages as they are.",
                    "the layer raises ModifyScopeVariableError",
                )
            case "rngs":
                yield self.finding(
                    event,
                    headline(f"`{{}}` has no key of `{collection}` to draw by", layer),
                    f'Pass `rngs={{"{collection}": key}}`, or have the layer draw nothing '
                    "(`deterministic=True`).",
                    "the layer raises InvalidRngError",
                )
