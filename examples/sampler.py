"""Samples the posterior of a logistic regression with random-walk Metropolis."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Chain(NamedTuple):
    position: jax.Array
    log_density: jax.Array
    accepted: jax.Array


def simulate(key, count, weights):
    feature_key, label_key = jax.random.split(key)
    features = jax.random.normal(feature_key, (count, weights.shape[0]))
    labels = jax.random.bernoulli(label_key, jax.nn.sigmoid(features @ weights))
    return features, labels.astype(jnp.float32)


def log_posterior(weights, features, labels):
    probability = jax.nn.sigmoid(features @ weights)
    probability = jnp.clip(probability, 1e-6, 1.0 - 1e-6)
    log_likelihood = jnp.sum(
        labels * jnp.log(probability) + (1.0 - labels) * jnp.log(1.0 - probability)
    )
    return log_likelihood - 0.5 * jnp.sum(weights**2)


def metropolis_step(chain, key, log_density, scale):
    move_key, accept_key = jax.random.split(key)
    noise = jax.random.normal(move_key, chain.position.shape)
    proposal = chain.position + scale * noise
    proposed = log_density(proposal)
    accept = jnp.log(jax.random.uniform(accept_key)) < proposed - chain.log_density
    chain = Chain(
        jnp.where(accept, proposal, chain.position),
        jnp.where(accept, proposed, chain.log_density),
        chain.accepted + accept,
    )
    return chain, chain.position


@partial(jax.jit, static_argnames=("count", "burn_in"))
def sample(key, features, labels, count, burn_in, scale=0.2):
    def log_density(weights):
        return log_posterior(weights, features, labels)

    def body(chain, step_key):
        return metropolis_step(chain, step_key, log_density, scale)

    start = jnp.zeros(features.shape[1])
    chain = Chain(start, log_density(start), jnp.zeros((), jnp.int32))
    chain, positions = jax.lax.scan(body, chain, jax.random.split(key, count))
    return positions[burn_in:], chain.accepted / count


def main(count=2000):
    data_key, chain_key = jax.random.split(jax.random.key(1))
    features, labels = simulate(data_key, 200, jnp.array([1.0, -2.0, 0.5]))
    samples, acceptance = sample(chain_key, features, labels, count, burn_in=count // 4)
    print("acceptance", float(acceptance))
    for name, column in zip("abc", samples.T):
        print(f"{name}: {jnp.mean(column):.2f} +- {jnp.std(column):.2f}")


if __name__ == "__main__":
    main()
