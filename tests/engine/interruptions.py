# pyright: basic
"""Programs that run far too long, each of another kind, and a process that interrupts them.

    python interruptions.py ENGINE NAME SECONDS ROUNDS

makes the program of that name, calls it, sends Ctrl-C to itself after about so many seconds, and
says how long after the signal the call was left; then whether the program is right afterwards. It
does so again and again.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

Call = Callable[[], Any]
Program = tuple[Call, Call]
"""A call that takes far too long, and a short one that gives a number."""


def _jax() -> Any:
    import oakum

    return oakum


def fori() -> Program:
    jax = _jax()
    f = jax.jit(lambda n: jax.lax.fori_loop(0, n, lambda i, c: c * 0.5 + jax.numpy.sin(c), 1.0))
    return lambda: f(2_000_000_000), lambda: f(3)


def while_in_while() -> Program:
    jax = _jax()
    lax = jax.lax

    def inner(n: Any, c: Any) -> Any:
        return lax.fori_loop(0, n, lambda i, c: c * 0.999 + 1.0, c)

    f = jax.jit(lambda n: lax.fori_loop(0, n, lambda i, c: inner(n, c), 1.0))
    return lambda: f(1_000_000), lambda: f(3)


def three_loops_of_a_thousand() -> Program:
    jax = _jax()
    lax = jax.lax

    def around(body: Any) -> Any:
        return lambda n, c: lax.fori_loop(0, n, lambda i, c: body(n, c), c)

    f = jax.jit(lambda n: around(around(around(lambda n, c: c * 0.999 + 1.0)))(n, 1.0))
    return lambda: f(1000), lambda: f(3)


def scan() -> Program:
    jax = _jax()
    f = jax.jit(
        lambda x: jax.lax.scan(lambda c, _: (c * 0.5 + 1.0, None), x, None, 2_000_000_000)[0]
    )
    g = jax.jit(lambda x: jax.lax.scan(lambda c, _: (c * 0.5 + 1.0, None), x, None, 20)[0])
    return lambda: f(1.0), lambda: g(1.0)


def product() -> Program:
    jax = _jax()
    f = jax.jit(lambda x: (x @ x).sum())
    large = jax.numpy.full((9_000, 9_000), 0.5)
    small = jax.numpy.full((100, 100), 0.5)
    return lambda: f(large), lambda: f(small)


def product_of_small_numbers() -> Program:
    jax = _jax()
    f = jax.jit(lambda x: (x @ x).sum())
    large = jax.numpy.full((8_000, 8_000), 3, jax.numpy.int32)
    small = jax.numpy.full((100, 100), 3, jax.numpy.int32)
    return lambda: f(large), lambda: f(small)


def convolution() -> Program:
    jax = _jax()
    f = jax.jit(lambda x, w: jax.lax.conv(x, w, (1, 1), "SAME").sum())
    ones = jax.numpy.ones
    x, w = ones((32, 128, 160, 160)), ones((256, 128, 7, 7))
    return lambda: f(x, w), lambda: f(ones((1, 2, 8, 8)), ones((3, 2, 3, 3)))


def elementwise() -> Program:
    jax = _jax()
    jnp = jax.numpy
    f = jax.jit(lambda x: jax.lax.fori_loop(0, 10, lambda i, x: jnp.cos(jnp.exp(-x) ** x), x))
    large, small = jnp.full(200_000_000, 0.5), jnp.full(1000, 0.5)
    return lambda: f(large), lambda: f(small)[0]


def reduction() -> Program:
    jax = _jax()
    jnp = jax.numpy

    def mean(n: int) -> Any:
        rows, columns = jax.lax.iota(jnp.float32, n), jax.lax.iota(jnp.float32, 50_000)
        return jnp.sum(jnp.sin(rows[:, None] * 1e-3 + columns[None, :]))

    f = jax.jit(mean, static_argnums=0)
    return lambda: f(500_000), lambda: f(10)


def gradient_of_a_scan() -> Program:
    jax = _jax()
    jnp = jax.numpy

    def loss(x: Any, n: int) -> Any:
        return jax.lax.scan(lambda c, _: (jnp.sin(c @ c), None), x, None, n)[0].sum()

    f = jax.jit(jax.grad(loss), static_argnums=1)
    x = jnp.full((400, 400), 0.01)
    return lambda: f(x, 2000), lambda: f(x, 2)[0, 0]


def mapped_loop() -> Program:
    jax = _jax()
    jnp = jax.numpy
    lax = jax.lax
    f = jax.jit(
        jax.vmap(
            lambda n: lax.while_loop(lambda c: c < n, lambda c: c + jnp.cos(c) ** 2 + 1.0, 0.0)
        )
    )
    return lambda: f(jnp.full(64, 1e9).at[3].set(1e6)), lambda: f(jnp.full(64, 100.0))[0]


def host_steps_in_a_loop() -> Program:
    jax = _jax()
    jnp = jax.numpy

    def turn(_: Any, c: Any) -> Any:
        return jnp.linalg.eigvalsh(c) * jnp.eye(3) + c

    f = jax.jit(lambda n: jax.lax.fori_loop(0, n, turn, jnp.eye(3)))
    return lambda: f(100_000_000), lambda: f(3)[0, 0]


def callback_in_a_loop() -> Program:
    jax = _jax()
    jnp = jax.numpy
    kind = jax.ShapeDtypeStruct((), jnp.float32)

    def turn(_: Any, c: Any) -> Any:
        return jax.pure_callback(lambda x: x * 0.5 + 1, kind, c)

    f = jax.jit(lambda n: jax.lax.fori_loop(0, n, turn, jnp.float32(1)))
    return lambda: f(100_000_000), lambda: f(3)


def cholesky() -> Program:
    jax = _jax()
    jnp = jax.numpy
    f = jax.jit(lambda x: jnp.linalg.cholesky(x).sum())
    large = jnp.eye(16_000) * 2
    return lambda: f(large), lambda: f(jnp.eye(50) * 2)


def solve() -> Program:
    jax = _jax()
    jnp = jax.numpy
    f = jax.jit(lambda a, b: jnp.linalg.solve(a, b).sum())
    large = jnp.eye(11_000) * 2 + 1
    return lambda: f(large, large), lambda: f(jnp.eye(50), jnp.eye(50))


def sort() -> Program:
    jax = _jax()
    jnp = jax.numpy
    f = jax.jit(lambda x: jnp.sort(x))
    large = jax.random.bits(jax.random.key(0), (200_000_000,))
    return lambda: f(large), lambda: f(large[:1000])[0]


def largest_of_many() -> Program:
    jax = _jax()
    f = jax.jit(lambda x: jax.lax.top_k(x, 10)[1])
    large = jax.random.bits(jax.random.key(0), (100_000_000,))
    return lambda: [f(large) for _ in range(1000)], lambda: f(large[:1000])[0]


def running_sum() -> Program:
    jax = _jax()
    jnp = jax.numpy
    f = jax.jit(lambda x: jax.lax.fori_loop(0, 200, lambda i, x: jnp.cumsum(x) * 0.5, x)[-1])
    large = jnp.ones(50_000_000)
    return lambda: f(large), lambda: f(large[:1000])


def transform_of_fourier() -> Program:
    jax = _jax()
    jnp = jax.numpy
    f = jax.jit(lambda x: jnp.fft.fft(jnp.fft.fft(jnp.fft.fft(x))).real.sum())
    large = jnp.ones(60_000_011)
    return lambda: f(large), lambda: f(large[:1000])


def singular_values() -> Program:
    jax = _jax()
    jnp = jax.numpy
    f = jax.jit(lambda x: jnp.linalg.svd(x)[1])
    large = jnp.sin(jnp.arange(9_000_000.0)).reshape(3000, 3000)
    return lambda: f(large), lambda: f(large[:50, :50])[0]


def sort_without_jit() -> Program:
    jax = _jax()
    jnp = jax.numpy
    large = jax.random.bits(jax.random.key(0), (200_000_000,))
    return lambda: jnp.argsort(large), lambda: jnp.argsort(large[:1000])[0]


def product_without_jit() -> Program:
    jax = _jax()
    jnp = jax.numpy
    large = jnp.full((9_000, 9_000), 0.5)
    return lambda: jnp.dot(large, large), lambda: jnp.dot(large[0], large[0])


def compilation() -> Program:
    jax = _jax()
    jnp = jax.numpy
    calls = iter(range(1_000_000))

    def long() -> Any:
        while True:
            number = next(calls)

            def f(x: Any, number: int = number) -> Any:
                for i in range(60):
                    x = jnp.cumsum(jnp.sin(x + i) @ x, 0) + jnp.sort(x[i])
                return x

            jax.jit(f)(jnp.ones((100 + number, 100 + number)))

    return long, lambda: jax.jit(lambda x: x * 2)(3.0)


PROGRAMS = {
    each.__name__: each
    for each in (
        fori,
        while_in_while,
        three_loops_of_a_thousand,
        scan,
        product,
        product_of_small_numbers,
        convolution,
        elementwise,
        reduction,
        gradient_of_a_scan,
        mapped_loop,
        host_steps_in_a_loop,
        callback_in_a_loop,
        cholesky,
        solve,
        sort,
        largest_of_many,
        running_sum,
        transform_of_fourier,
        singular_values,
        sort_without_jit,
        product_without_jit,
        compilation,
    )
}


def interrupt(call: Call, seconds: float) -> float | None:
    """How long after Ctrl-C a call was left; None where it ended by itself."""
    sent: list[float] = []

    def send() -> None:
        time.sleep(seconds)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    try:
        call()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    # The call has ended: Ctrl-C comes while it is waited for, in whichever line that is.
    try:
        while True:
            time.sleep(0.01)
    except KeyboardInterrupt:
        sender.join()
    return None


def main(name: str, seconds: float, rounds: int) -> None:
    long, short = PROGRAMS[name]()
    right = float(short())
    print("ready", flush=True)
    for number in range(rounds):
        late = interrupt(long, seconds * (1 + number) / rounds)
        after = float(short())
        print("ended" if late is None else f"{late:.3f}", after == right, flush=True)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    main(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
