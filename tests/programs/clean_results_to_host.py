# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def run(config, key):
    @jax.jit
    def evaluate(w):
        return {"loss": jnp.sum((w - config["target"]) ** 2), "norm": jnp.linalg.norm(w)}

    w = jax.random.normal(key, (config["size"],))
    report = {name: value.item() for name, value in evaluate(w).items()}
    report["rounded"] = int(round(report["loss"]))
    report["list"] = w.tolist()
    return report


print(sorted(run({"target": 1.0, "size": 3}, jax.random.key(1))))
