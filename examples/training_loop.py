"""Trains a two-layer classifier on synthetic rings with clipped gradient descent."""

from functools import partial

import jax
import jax.numpy as jnp

MAX_NORM = 1.0
BOUNDARIES = [100, 200]
RATES = [0.5, 0.2, 0.05]


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
    loss = -jnp.mean(jnp.take_along_axis(log_probs, labels[:, None], axis=1))
    return loss, jnp.mean(jnp.argmax(log_probs, axis=1) == labels)


def clip_by_norm(grads, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    scale = jnp.where(norm > max_norm, max_norm / norm, 1.0)
    return jax.tree.map(lambda g: g * scale, grads), norm


def learning_rate(step):
    phase = jnp.searchsorted(jnp.array(BOUNDARIES), step, side="right")
    return jnp.array(RATES)[phase]


@partial(jax.jit, donate_argnums=(0,))
def train_step(params, step, x, labels):
    (loss, accuracy), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, x, labels)
    grads, norm = clip_by_norm(grads, MAX_NORM)
    rate = learning_rate(step)
    params = jax.tree.map(lambda p, g: p - rate * g, params, grads)
    return params, {"loss": loss, "accuracy": accuracy, "norm": norm}


def main(steps=300):
    data_key, params_key = jax.random.split(jax.random.key(0))
    x, labels = make_rings(data_key, 256)
    params = init_params(params_key, (2, 32, 2))
    history = []
    for step in range(steps):
        params, metrics = train_step(params, step, x, labels)
        history.append(metrics["loss"])
        if step % 100 == 0:
            print(f"step {step}: loss {metrics['loss']:.4f}")
    print(f"accuracy {float(metrics['accuracy']):.3f}, best loss {min(history):.4f}")


if __name__ == "__main__":
    main()
