"""Trains a two-layer classifier on synthetic rings with clipped gradient descent."""

import jax
import jax.numpy as jnp

MAX_NORM = 1.0
BOUNDARIES = [100, 200]
RATES = [0.5, 0.2, 0.05]

history = []


def make_rings(key, count):
    angle_key, noise_key = jax.random.split(key)
    labels = jnp.arange(count) % 2
    angles = jax.random.uniform(angle_key, (count,), maxval=2 * jnp.pi)
    points = jnp.stack([jnp.cos(angles), jnp.sin(angles)], axis=1)
    points = points * (1.0 + labels)[:, None]
    return points + 0.1 * jax.random.normal(noise_key, points.shape), labels


def init_params(key, sizes):
    params = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        key, layer_key = jax.random.split(key)
        weight = jax.random.normal(layer_key, (fan_in, fan_out)) / jnp.sqrt(fan_in)
        params.append({"w": weight, "b": jnp.zeros(fan_out)})
    return params


def predict(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, x, labels):
    log_probs = jax.nn.log_softmax(predict(params, x))
    return -jnp.mean(jnp.take_along_axis(log_probs, labels[:, None], axis=1))


def clip_by_norm(grads, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    if norm > max_norm:
        grads = jax.tree.map(lambda g: g * (max_norm / norm), grads)
    return grads


def learning_rate(step):
    phase = jnp.searchsorted(jnp.array(BOUNDARIES), step, side="right")
    return RATES[phase]


@jax.jit
def train_step(params, step, x, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, labels)
    grads = clip_by_norm(grads, MAX_NORM)
    rate = learning_rate(step)
    params = jax.tree.map(lambda p, g: p - rate * g, params, grads)
    history.append(loss)
    return params


@jax.jit
def evaluate(params, x, labels):
    correct = jnp.argmax(predict(params, x), axis=1) == labels
    return float(jnp.mean(correct))


def main(steps=300):
    data_key, params_key = jax.random.split(jax.random.key(0))
    x, labels = make_rings(data_key, 256)
    params = init_params(params_key, (2, 32, 2))
    for step in range(steps):
        params = train_step(params, step, x, labels)
        if step % 100 == 0:
            print(f"step {step}: loss {history[-1]:.4f}")
    print(f"accuracy {evaluate(params, x, labels):.3f}, best loss {min(history):.4f}")


if __name__ == "__main__":
    main()
