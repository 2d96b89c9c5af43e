"""A character-level recurrent network that learns to continue a repeated text."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

TEXT = "the quick brown fox jumps over the lazy dog. " * 8
ALPHABET = sorted(set(TEXT))
CODES = np.array([ALPHABET.index(letter) for letter in TEXT])


def init_params(key, vocabulary, width):
    embed_key, state_key, out_key = jax.random.split(key, 3)
    scale = 1.0 / np.sqrt(width)
    return {
        "embed": jax.random.normal(embed_key, (vocabulary, width)) * scale,
        "state": jax.random.normal(state_key, (width, width)) * scale,
        "out": jax.random.normal(out_key, (width, vocabulary)) * scale,
    }


def cell(params, state, token):
    state = jnp.tanh(params["embed"][token] + state @ params["state"])
    return state, state @ params["out"]


def run(params, tokens):
    start = jnp.zeros(params["state"].shape[0])
    _, logits = jax.lax.scan(partial(cell, params), start, tokens)
    return logits


def loss_fn(params, tokens, lengths):
    logits = jax.vmap(run, in_axes=(None, 0))(params, tokens[:, :-1])
    targets = jax.nn.one_hot(tokens[:, 1:], logits.shape[-1])
    losses = -jnp.sum(targets * jax.nn.log_softmax(logits), axis=-1)
    mask = jnp.arange(losses.shape[1]) < lengths[:, None]
    return jnp.mean(losses, where=mask)


@jax.jit
def update(params, tokens, lengths, rate):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, lengths)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads), loss


@partial(jax.jit, static_argnames=("length",))
def generate(params, token, length):
    def body(carry, _):
        state, token = carry
        state, logits = cell(params, state, token)
        token = jnp.argmax(logits)
        return (state, token), token

    start = (jnp.zeros(params["state"].shape[0]), token)
    _, tokens = jax.lax.scan(body, start, None, length=length)
    return tokens


def main(steps=200):
    params = init_params(jax.random.key(0), len(ALPHABET), 48)
    starts = np.arange(0, 64, 4)
    batch = np.stack([CODES[start : start + 33] for start in starts])
    lengths = 16 + starts % 16
    for _ in range(steps):
        params, loss = update(params, jnp.asarray(batch), jnp.asarray(lengths), 0.5)
    print("loss", float(loss))
    print("".join(ALPHABET[int(code)] for code in generate(params, 0, length=20)))


if __name__ == "__main__":
    main()
