"""Compiled programs under stress: many threads, forks, many compilations, the end of the process.

Each runs in a process of its own, which has to end by itself and say that all results were right.
With OAKUM_STRESS=1 in the environment each thread makes 10,000 calls, 200 children are forked and
10,000 functions compiled (some minutes); otherwise 150 calls, 6 children and 240 functions.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FULL = bool(os.environ.get("OAKUM_STRESS"))
CALLS = 10_000 if FULL else 150
CHILDREN = 200 if FULL else 6
FUNCTIONS = 10_000 if FULL else 240

ENGINE = Path(__file__).parents[2] / "engine"

COMMON = """
import os, signal, sys, threading, time
import numpy as np
import oakum as jax
import oakum.numpy as jnp
from oakum import lax

CALLS, CHILDREN, FUNCTIONS = map(int, sys.argv[1:])

def model(tree, x):
    h = jnp.tanh(x @ tree["w"] + tree["b"])
    return {"out": jax.nn.softmax(h), "total": jnp.sum(h * x)}

def by_numpy(tree, x):
    h = np.tanh(x @ tree["w"] + tree["b"])
    e = np.exp(h - h.max(axis=-1, keepdims=True))
    return {"out": e / e.sum(axis=-1, keepdims=True), "total": np.sum(h * x)}

def operands(seed, rows=8):
    random = np.random.default_rng(seed)
    w, b = random.standard_normal((16, 16)), random.standard_normal(16)
    tree = {"w": w.astype(np.float32), "b": b.astype(np.float32)}
    return tree, random.standard_normal((rows, 16)).astype(np.float32)

def right(found, tree, x):
    expected = by_numpy(tree, x)
    return all(np.allclose(found[k], expected[k], rtol=1e-3, atol=1e-3) for k in expected)

def same(found, expected):
    return all(np.array_equal(found[k], expected[k]) for k in expected)

def together(work, count):
    # Runs work(0), ... in threads that begin at once, and gives what each returned.
    found, barrier = [None] * count, threading.Barrier(count)
    def run(place):
        barrier.wait()
        found[place] = work(place)
    threads = [threading.Thread(target=run, args=(place,)) for place in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
"""

ONE_FUNCTION = """
sys.setswitchinterval(1e-5)  # Modules, programs and calls are made while others look for them.
f = jax.jit(model)

def work(place):
    # The rows differ, so that some calls are traced while others run.
    wrong = 0
    for rows in (8, 8 + place % 4):
        tree, x = operands(place, rows)
        expected = f(tree, x)
        wrong += not right(expected, tree, x)
        wrong += sum(not same(f(tree, x), expected) for _ in range(CALLS // 2))
    return wrong

assert together(work, 8) == [0] * 8
"""

MANY_FORMS = """
# More forms of calls than a function keeps, and threads that change places almost at each step:
# each list of specifications is added to, cut and put in another order all the time.
sys.setswitchinterval(1e-5)
f = jax.jit(lambda x: jnp.sum(x * 2))

def work(place):
    sizes = [(7 * place + 11 * number) % 90 for number in range(max(100, CALLS // 4))]
    return sum(float(f(np.ones(size, np.float32))) != 2 * size for size in sizes)

assert together(work, 8) == [0] * 8
"""

LARGE_ARRAYS = """
@jax.jit
def f(x):
    return {"wave": jnp.sin(x) * x + 1, "sum": jnp.sum(x * x), "rows": x.reshape(100, -1).mean(1)}

def work(place):
    x = np.linspace(-place, 1, 100_000, dtype=np.float32)
    expected = f(x)
    wrong = not np.allclose(expected["wave"], np.sin(x) * x + 1, rtol=1e-4, atol=1e-4)
    wrong += not np.allclose(expected["sum"], np.sum(x.astype(np.float64) ** 2), rtol=1e-4)
    # Who computes which part must not change a single bit.
    return wrong + sum(not same(f(x), expected) for _ in range(max(20, CALLS // 20)))

assert together(work, 8) == [0] * 8
"""

THREADS_COMPILE = """
def work(place):
    wrong = 0
    for number in range(max(3, FUNCTIONS // 80)):
        factor = place * 1000 + number
        x = np.arange(5, dtype=np.float32)
        wrong += not np.array_equal(jax.jit(lambda y: y * factor + 1)(x), x * factor + 1)
    return wrong

assert together(work, 8) == [0] * 8
"""

FORKS = """
f = jax.jit(model)
tree, x = operands(0)
large = np.ones(300_000, np.float32)
g = jax.jit(lambda y: jnp.exp(y) - y)
before, stop, wrong = f(tree, x), threading.Event(), []
expected = np.asarray(g(large))

def work(place):
    number = 0
    while not stop.is_set():
        number += 1
        wrong.append(not same(f(tree, x), before))
        wrong.append(not np.array_equal(g(large), expected))
        shift = number + 1000 * place
        wrong.append(float(jax.jit(lambda y: y + shift)(1.0)) != 1 + shift)

def child(number):
    signal.alarm(60)
    assert same(f(tree, x), before)
    assert np.array_equal(g(large), expected)
    assert float(jax.jit(lambda y: y - number)(1.0)) == 1 - number
    assert [*together(lambda place: same(f(tree, x), before), 3)] == [True] * 3

threads = [threading.Thread(target=work, args=(place,)) for place in range(3)]
for thread in threads:
    thread.start()
codes = []
for number in range(CHILDREN):
    process = os.fork()
    if process == 0:
        try:
            child(number)
        except BaseException as error:
            print("child", number, repr(error), flush=True)
            os._exit(1)
        os._exit(0)
    codes.append(os.waitpid(process, 0)[1])
stop.set()
for thread in threads:
    thread.join()
assert codes == [0] * CHILDREN, codes
assert wrong and not any(wrong)
"""

MANY_FUNCTIONS = """
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

x = np.arange(12, dtype=np.float32)

def compile_one(number):
    def function(y):
        return lax.fori_loop(0, 3, lambda _, z: z * 0.5 + jnp.sum(z) * number, y)
    expected = x
    for _ in range(3):
        expected = expected * np.float32(0.5) + expected.sum() * np.float32(number)
    assert np.allclose(jax.jit(function)(x), expected, rtol=1e-4)

# What is loaded once, and what allocators keep, is there after a part of them.
for number in range(FUNCTIONS // 4):
    compile_one(number)
before = resident()
for number in range(FUNCTIONS // 4, FUNCTIONS):
    compile_one(number)
grown = resident() - before
# A few KiB each, of objects kept for the same program to come again, and of what allocators keep.
allowed = (6 << 20) + min((FUNCTIONS - FUNCTIONS // 4) * (10 << 10), 80 << 20)
print("grown by", grown >> 10, "KiB", file=sys.stderr)
assert grown < allowed, (grown, allowed)
"""

PROCESS_ENDS = """
@jax.jit
def f(x):
    return jnp.sum(jnp.sin(x) * x)

x = np.ones(500_000, np.float32)
expected, begun = float(f(x)), threading.Event()

def work():
    while True:
        assert float(f(x)) == expected
        begun.set()

for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.05)
"""

CLEARED = """
f = jax.jit(model)
tree, x = operands(0)
expected = f(tree, x)
stop = threading.Event()

def clear():
    while not stop.is_set():
        jax.clear_caches()
        time.sleep(0.001)

thread = threading.Thread(target=clear)
thread.start()
try:
    calls = max(20, CALLS // 50)
    found = together(lambda _: all(same(f(tree, x), expected) for _ in range(calls)), 4)
finally:
    stop.set()
    thread.join()
assert found == [True] * 4
"""

SCRIPTS = {
    "one function in eight threads": ONE_FUNCTION,
    "more forms than are kept in eight threads": MANY_FORMS,
    "large arrays in eight threads": LARGE_ARRAYS,
    "eight threads that compile": THREADS_COMPILE,
    "caches cleared while others call": CLEARED,
    "the process ends while threads compute": PROCESS_ENDS,
}


def run(script: str, directory: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    program = f"{COMMON}\n{script}\nprint('right', flush=True)\n"
    numbers = [str(number) for number in (CALLS, CHILDREN, FUNCTIONS)]
    path = os.pathsep.join(filter(None, (str(ENGINE), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, *numbers],
        env={
            **os.environ,
            "PYTHONPATH": path,
            "OAKUM_CACHE_DIR": str(directory),
            "OAKUM_NUM_THREADS": "4",
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=3600 if FULL else 300,
    )


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", SCRIPTS)
def test_threads(name: str, tmp_path: Path) -> None:
    """A server that computes in many threads gives wrong answers, hangs or ends."""
    ended = run(SCRIPTS[name], tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "right\n"), ended.stderr[-3000:]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forks_while_threads_compute(tmp_path: Path) -> None:
    """Data loaders of several processes hang, or compute something else than their parent."""
    ended = run(FORKS, tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "right\n"), ended.stderr[-3000:]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_many_compilations_leave_no_memory_behind(tmp_path: Path) -> None:
    """A sweep over thousands of functions ends for want of memory."""
    ended = run(MANY_FUNCTIONS, tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "right\n"), ended.stderr[-3000:]
    print(ended.stderr)
