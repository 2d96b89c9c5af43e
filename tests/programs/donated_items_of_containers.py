# category: use-after-donate
import jax
import jax.numpy as jnp

halve = jax.jit(lambda x, rate: x * rate, donate_argnums=0)


def levels(image, count):
    table = {"now": image, "mask": jnp.ones(4)}
    for _ in range(count):
        table["now"] = halve(table["now"], 0.5)
    rows = [jnp.ones(4), jnp.zeros(4)]
    for i in range(2):
        rows[i] = halve(rows[i], 2.0)
    return table["now"] + table["mask"] + rows[0] + rows[1]


def pyramid(image):
    images = [image]
    images.append(halve(images[-1], 0.5))
    return images[1].sum(), images[0].tolist()  #! OAK701 #~ RuntimeError


print(levels(jnp.ones(4), 3))
print(pyramid(jnp.ones(4)))
