"""Samples the posterior of a logistic regression with random-walk Metropolis."""

import jax
import jax.numpy as jnp
import numpy as np


def simulate(key, count, weights):
    feature_key, label_key = jax.random.split(key)
    features = jax.random.normal(feature_key, (count, weights.shape[0]))
    labels = jax.random.bernoulli(label_key, jax.nn.sigmoid(features @ weights))
    return features, labels.astype(jnp.float32)


def log_posterior(weights, features, labels):
    probability = jax.nn.sigmoid(features @ weights)
    probability = jnp.clip(probability, 1e-6, 1.0 - 1e-6)
    log_likelihood = jnp.sum(
        labels * np.log(probability) + (1.0 - labels) * jnp.log(1.0 - probability)
    )
    return log_likelihood - 0.5 * jnp.sum(weights**2)


class Metropolis:
    def __init__(self, log_density, scale):
        self.log_density = log_density
        self.scale = scale
        self.accepted = 0

    def step(self, position, key):
        move_key, accept_key = jax.random.split(key)
        proposal = position + self.scale * jax.random.normal(move_key, position.shape)
        log_ratio = self.log_density(proposal) - self.log_density(position)
        accept = jnp.log(jax.random.uniform(accept_key)) < log_ratio
        self.accepted += accept
        return proposal if accept else position

    def run(self, key, start, count):
        def body(position, step_key):
            position = self.step(position, step_key)
            return position, position

        _, positions = jax.lax.scan(body, start, jax.random.split(key, count))
        return positions


@jax.jit
def summarize(positions, burn_in):
    kept = positions[burn_in:]
    return jnp.mean(kept, axis=0), jnp.std(kept, axis=0)


def main(count=2000):
    data_key, chain_key = jax.random.split(jax.random.key(1))
    features, labels = simulate(data_key, 200, jnp.array([1.0, -2.0, 0.5]))
    sampler = Metropolis(lambda weights: log_posterior(weights, features, labels), scale=0.2)
    positions = sampler.run(chain_key, jnp.zeros(3), count)
    print("acceptance", sampler.accepted / count)
    mean, spread = summarize(positions, count // 4)
    for name, m, s in zip("abc", mean, spread):
        print(f"{name}: {m:.2f} +- {s:.2f}")


if __name__ == "__main__":
    main()
