"""Compares the cost of tracing, of calls of compiled functions and of single operations with JAX.

    python benchmarks/engine_tracing.py [--rounds N] [--only jaxpr,grad,vmap,calls]

Both run in one process, in alternating rounds, so that a busy machine slows both alike. Traced are
functions of about 100 and 1000 operations, mixed as in models; each round traces a new function
object, so that no cache is hit. What counts is the CPU time of the process, and the ratio of the
medians: 0.8 means that oakum takes four fifths of the time that JAX takes. JAX compiles programs
and oakum evaluates them, so what runs in a compiled function is not compared here.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

PEERS = ("jax", "oakum")
SIZES = (100, 1000)
CALLS = 200
"""Calls of compiled functions and operations are timed in loops of so many."""

X = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)


def mixed(j: Any, count: int) -> Callable[..., Any]:
    """A function of so many operations: elementwise ones, reductions, selections, a product."""
    jnp, lax = j.numpy, j.lax

    def function(x: Any, weights: Any) -> Any:
        for _ in range(count // 10):
            y = jnp.exp(jnp.sin(x) * 2.0 + x)
            y = y - jnp.sum(y, axis=-1, keepdims=True)
            y = jnp.where(y > 0, y, x)
            x = lax.mul(jnp.maximum(y, 0.5), x)
        return jnp.sum(x @ weights)

    return function


def traced(j: Any, what: str, count: int) -> Any:
    """The program of a new function, transformed."""
    function = mixed(j, count)
    if what == "grad":
        return j.make_jaxpr(j.grad(function))(X, X)
    if what == "vmap":
        return j.make_jaxpr(j.vmap(function, (0, None)))(np.stack([X] * 3), X)
    return j.make_jaxpr(function)(X, X)


def calls(j: Any) -> dict[str, Callable[[], Any]]:
    """Calls of compiled functions that are traced already, and single operations."""
    jnp, lax = j.numpy, j.lax
    x = jnp.asarray(X)
    small: dict[str, Any] = {"a": x, "b": (x, [x])}

    @j.jit
    def product(a: Any, b: Any) -> Any:
        return a @ b

    @j.jit
    def of_tree(tree: Any) -> Any:
        return {**tree, "a": tree["a"] + 1}

    return {
        "jit cache hit": lambda: product(x, x),
        "jit cache hit, tree": lambda: of_tree(small),
        "lax.add": lambda: lax.add(x, x),
        "jnp.sin": lambda: jnp.sin(x),
        "x + x": lambda: x + x,
        "x * 2.0": lambda: x * 2.0,
        "jnp.sum": lambda: jnp.sum(x),
        "x @ x": lambda: x @ x,
        "x[0]": lambda: x[0],
        "jnp.reshape": lambda: jnp.reshape(x, (2, 8)),
    }


def seconds(function: Callable[[], Any], times: int = 1) -> float:
    """The CPU time of one call."""
    begun = time.process_time()
    for _ in range(times):
        function()
    return (time.process_time() - begun) / times


def compare(functions: Sequence[Callable[[], Any]], rounds: int, times: int = 1) -> list[float]:
    """The medians of the times that functions take, run in alternating rounds."""
    measured: list[list[float]] = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(rounds):
        for found, function in zip(measured, functions, strict=True):
            found.append(seconds(function, times))
    return [statistics.median(found) for found in measured]


def report(name: str, medians: Sequence[float], note: str = "") -> None:
    """Prints a line of the table."""
    jax, oakum = (each * 1e6 for each in medians)
    print(f"{name:24} {jax:12.1f} {oakum:12.1f} {oakum / jax:9.2f}  {note}", flush=True)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="jaxpr,grad,vmap,calls", help="with commas between them")
    options = parser.parse_args()
    only = options.only.split(",")
    peers = [__import__(name) for name in PEERS]
    print(f"{'CPU microseconds':24} {'jax':>12} {'oakum':>12} {'to jax':>9}  equations")
    for what in ("jaxpr", "grad", "vmap"):
        for count in SIZES if what in only else ():
            functions = [lambda j=j: traced(j, what, count) for j in peers]  # noqa: B023
            lengths = [str(len(function().eqns)) for function in functions]
            report(f"{what} of {count}", compare(functions, options.rounds), " ".join(lengths))
    if "calls" in only:
        pairs = zip(*(calls(j).items() for j in peers), strict=True)
        for (name, first), (_, second) in pairs:
            report(name, compare([first, second], options.rounds, CALLS))


if __name__ == "__main__":
    main()
