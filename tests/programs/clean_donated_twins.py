# category: clean/use-after-donate
import jax
import jax.numpy as jnp

move = jax.jit(lambda place, speed: place + speed, donate_argnums=0)


def origin(n):
    return jnp.zeros(n)


def race(n):
    hare = origin(n)
    tortoise = origin(n)
    marked = tortoise
    field = [hare, tortoise]
    best = {"slow": marked}
    hare = move(hare, 2.0)
    return hare - marked, best["slow"], len(field)


def lanes(grid):
    first, second = jnp.split(grid, 2)
    kept = second
    first = move(first, 1.0)
    rows = [first]
    first = jnp.copy(first)
    first = move(first, 1.0)
    return first + kept, rows[0]


print(race(3), lanes(jnp.ones(4)))
