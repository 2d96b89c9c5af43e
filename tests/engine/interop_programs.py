"""Programs of libraries that are written for JAX, run by `test_interop` on JAX and on oakum.

    python interop_programs.py oakum|jax [NAME ...]

Prints a line of JSON for each program: its name, and the first elements of each of its results.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

# Both engines and their libraries are imported by name.
# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false, reportUntypedFunctionDecorator=false
# pyright: reportUnknownParameterType=false, reportUntypedBaseClass=false

Program = Callable[[], Any]


def optax_programs() -> Iterator[tuple[str, Program]]:
    """An ordinary training step with each optimizer."""
    import jax
    import jax.numpy as jnp
    import optax

    x, y = jnp.linspace(0.0, 1.0, 24).reshape(4, 6), jnp.arange(4.0)

    def loss(w: Any) -> Any:
        return jnp.mean((x @ w - y) ** 2)

    def train(make: Callable[[], Any]) -> Any:
        optimizer = make()
        weights = jnp.ones(6)
        state = optimizer.init(weights)

        @jax.jit
        def step(weights: Any, state: Any) -> Any:
            value, slope = jax.value_and_grad(loss)(weights)
            change, state = optimizer.update(
                slope, state, weights, value=value, grad=slope, value_fn=loss
            )
            return optax.apply_updates(weights, change), state

        for _ in range(3):
            weights, state = step(weights, state)
        return weights

    names = "adabelief adafactor adagrad adam adamw lamb lbfgs lion novograd radam rmsprop sgd sm3"
    for name in names.split():
        optimizer = optax.with_extra_args_support(getattr(optax, name)(learning_rate=0.1))
        yield f"optax.{name}", lambda optimizer=optimizer: train(lambda: optimizer)
    chain = optax.chain(
        optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(1e-2, 50))
    )
    yield "optax.chain", lambda: train(lambda: optax.with_extra_args_support(chain))


def equinox_programs() -> Iterator[tuple[str, Program]]:
    """Models, filtered transformations, checks, and loops that keep checkpoints."""
    import equinox as eqx
    import equinox.internal as eqxi
    import jax
    import jax.numpy as jnp

    x = jnp.linspace(0.0, 1.0, 24).reshape(4, 6)
    key = jax.random.PRNGKey(0)

    def train() -> Any:
        model = eqx.nn.MLP(6, 1, 8, 2, key=key)

        @eqx.filter_jit
        def step(model: Any) -> Any:
            slope = eqx.filter_grad(lambda m: jnp.mean(jax.vmap(m)(x) ** 2))(model)
            return eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, slope))

        return eqx.filter(step(step(model)), eqx.is_array)

    def normalise() -> Any:
        norm, state = eqx.nn.make_with_state(eqx.nn.BatchNorm)(6, "batch", mode="batch")
        call = jax.vmap(norm, axis_name="batch", in_axes=(0, None), out_axes=(0, None))
        return call(x, state)[0]

    def loop(v: Any) -> Any:
        return eqxi.while_loop(
            lambda c: c[0] < 5,
            lambda c: (c[0] + 1, c[1] * 1.5),
            (0, v),
            kind="checkpointed",
            max_steps=10,
        )[1].sum()

    def check() -> Any:
        return eqx.filter_jit(lambda v: eqx.error_if(v, v.sum() < 0, "negative"))(x)

    yield "equinox.train", train
    yield "equinox.batch_norm", normalise
    yield "equinox.attention", lambda: eqx.nn.MultiheadAttention(2, 6, key=key)(x, x, x)
    yield "equinox.conv", lambda: eqx.nn.Conv2d(1, 2, 3, key=key)(jnp.ones((1, 8, 8)))
    yield "equinox.dropout", lambda: eqx.nn.Dropout(0.5)(x, key=key)
    yield "equinox.error_if", check
    yield "equinox.loop", lambda: jax.grad(loop)(jnp.ones(3))


def flax_programs() -> Iterator[tuple[str, Program]]:
    """Linen's modules with lifted transformations, and NNX's."""
    import flax.linen as nn
    import jax
    import jax.numpy as jnp
    import optax
    from flax import nnx

    x, key = jnp.linspace(0.0, 1.0, 24).reshape(4, 6), jax.random.PRNGKey(0)

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x: Any, train: bool) -> Any:
            x = nn.relu(nn.Dense(8)(x))
            x = nn.BatchNorm(use_running_average=not train)(x)
            x = nn.Dropout(0.2, deterministic=not train)(x)
            return nn.Dense(1)(nn.LayerNorm()(x))

    class Block(nn.Module):
        @nn.compact
        def __call__(self, carry: Any, _: Any) -> Any:
            return nn.Dense(6)(carry), None

    class Deep(nn.Module):
        @nn.compact
        def __call__(self, carry: Any) -> Any:
            lifted = nn.scan(
                nn.remat(Block), variable_axes={"params": 0}, split_rngs={"params": True}, length=3
            )
            return lifted()(carry, None)[0]

    class Model(nnx.Module):
        def __init__(self, rngs: Any) -> None:
            self.first = nnx.Linear(6, 8, rngs=rngs)
            self.dropout = nnx.Dropout(0.2, rngs=rngs)
            self.last = nnx.Linear(8, 1, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            return self.last(self.dropout(nnx.relu(self.first(x))))

    def train() -> Any:
        net = Net()
        variables = net.init(key, x, train=False)

        @jax.jit
        def step(variables: Any, key: Any) -> Any:
            def loss(params: Any) -> Any:
                out, updates = net.apply(
                    {**variables, "params": params},
                    x,
                    train=True,
                    mutable=["batch_stats"],
                    rngs={"dropout": key},
                )
                return jnp.mean(out**2), updates

            slope, updates = jax.grad(loss, has_aux=True)(variables["params"])
            params = jax.tree.map(lambda p, g: p - 0.1 * g, variables["params"], slope)
            return {"params": params, **updates}

        return step(step(variables, key), key)

    def apply(module: Any, inputs: Any) -> Any:
        return module.apply(module.init(key, inputs), inputs)

    def train_nnx() -> Any:
        model = Model(nnx.Rngs(0))
        optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)

        @nnx.jit
        def step(model: Any, optimizer: Any) -> None:
            optimizer.update(model, nnx.grad(lambda m: jnp.mean(m(x) ** 2))(model))

        for _ in range(3):
            step(model, optimizer)
        return nnx.state(model, nnx.Param)

    yield "flax.train", train
    yield "flax.scan", lambda: apply(Deep(), x)
    yield "flax.lstm", lambda: apply(nn.RNN(nn.LSTMCell(5)), x[None])
    yield "flax.attention", lambda: apply(nn.MultiHeadDotProductAttention(num_heads=2), x[None])
    yield "flax.nnx", train_nnx


def main(engine: str, names: list[str]) -> None:
    """Runs the programs whose names begin with one of these."""
    block: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    if engine == "oakum":
        from oakum import interop

        block = interop.as_jax()
    with block:
        import jax
        import numpy as np

        for programs in (optax_programs, equinox_programs, flax_programs):
            if not any(programs.__name__.startswith(name.partition(".")[0]) for name in names):
                continue
            for name, program in programs():
                if name.startswith(tuple(names)):
                    leaves = jax.tree.leaves(program())
                    values = [np.asarray(leaf).ravel()[:5].tolist() for leaf in leaves]
                    print(json.dumps({"name": name, "values": values}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
