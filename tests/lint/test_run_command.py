"""`oakum run`: the program runs as it does with `python`, and what its checks find is reported.

Where one fails, a program behaves differently under `oakum run`, or a bug that its run shows is not
reported, or at another line.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from oakum.values.checks.check_outcomes import CHECKS
from oakum_lint.app.cli import main

SHOWN = re.compile("(?:not )?confirmed|the line was run|not seen")
"""How a note begins that says what a run has shown."""
OAKUM = [sys.executable, "-m", "oakum_lint"]


def run(
    folder: Path, program: str, *options: str, arguments: tuple[str, ...] = (), text: str = ""
) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(textwrap.dedent(program))
    return subprocess.run(
        [*OAKUM, "run", "--isolated", *options, "program.py", *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
    )


def report(folder: Path, program: str, *options: str) -> tuple[int, list[dict[str, Any]]]:
    out = folder / "report.json"
    form = ("--output-format", "json", "--output-file", str(out))
    done = run(folder, program, *form, *options)
    found: list[dict[str, Any]] = json.loads(out.read_text())
    return done.returncode, found


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("import sys; print(sys.argv[1:], __name__, sys.stdin.read())", 0),
        ("print(__file__, sys.path[0]) if (sys := __import__('sys')) else 0", 0),
        ("raise SystemExit(3)", 3),
        ("import sys; sys.exit('farewell')", 1),
        ("import os; os._exit(4)", 4),
        ("print(1 / 0)", 1),
        ("def f(: pass", 1),
        ("import atexit; atexit.register(print, 'at the end'); print('first')", 0),
        (
            "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))).__module__)",
            0,
        ),
    ],
)
def test_a_program_runs_as_with_python(tmp_path: Path, program: str, status: int) -> None:
    done = run(tmp_path, program, arguments=("a", "--b"), text="input")
    plain = subprocess.run(
        [sys.executable, "program.py", "a", "--b"],
        cwd=tmp_path,
        input="input",
        capture_output=True,
        text=True,
    )
    assert done.stdout == plain.stdout
    assert done.returncode == plain.returncode == status
    assert done.stderr.startswith(plain.stderr)


def test_a_module_is_run(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("import sys; print(__name__, sys.argv[1:])")
    done = subprocess.run(
        [*OAKUM, "run", "-m", "tool", "x"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "__main__ ['x']\n"
    assert done.returncode == 0


def test_what_the_checks_find_is_reported_and_the_program_goes_on(tmp_path: Path) -> None:
    program = """\
        import oakum as jax
        import oakum.numpy as jnp

        kept = {}

        def keep(name, value):
            kept[name] = value

        @jax.jit
        def step(x):
            getattr(__import__("builtins"), "globals")()["keep"]("h", x * 2)
            return jnp.log(x)

        print(step(jnp.array([-1.0])))
        key = jax.random.key(0)
        pair = [jax.random.normal(k) for k in eval("[key, key]")]
        print("done")
    """
    status, found = report(tmp_path, program)
    assert status == 1
    places = {(each["code"], each["line"]) for each in found}
    assert {code for code, _ in places} >= {"OAK401"}
    leak = next(each for each in found if each["code"].startswith("OAK10"))
    assert leak["line"] == 7
    assert any("the program went on" in note or "confirmed" in note for note in leak["notes"])
    done = run(tmp_path, program)
    assert done.stdout.splitlines()[-1] == "done"


def test_each_finding_in_the_source_says_what_the_run_has_shown_of_it(tmp_path: Path) -> None:
    program = """\
        import sys
        import time

        import oakum as jax

        @jax.jit
        def f(x):
            if x > 0:
                return x
            return -x

        @jax.jit
        def g(x):
            while x > 0:
                x = x - 1
            return x

        @jax.jit
        def h(x):
            if x > 0:
                return x
            return -x

        @jax.jit
        def timed(x):
            return x * time.time()

        @jax.jit
        def stamped(x):
            return x + time.time()

        def noise(key, count):
            total = 0.0
            for _ in range(count):
                total = total + jax.random.normal(key)
            return total

        try:
            f(1.0)
        except Exception:
            pass
        with jax.disable_jit():
            h(1.0)
            timed(1.0)
        stamped(1.0)
        noise(jax.random.key(0), len(sys.argv))
        for step in range(3):
            jax.jit(lambda x: x + 1)(1.0)
        if len(sys.argv) > 1:
            f(2.0)
            h(1.0)
            timed(1.0)
            jax.jit(lambda x: int(x))(1.0)
        g(1.0)
    """
    status, found = report(tmp_path, program)
    assert status == 1
    notes = {each["line"]: [note for note in each["notes"] if SHOWN.match(note)] for each in found}
    caught = "confirmed at run time: TracerBoolConversionError, which the program caught"
    assert notes == {
        8: [caught],
        14: ["confirmed at run time: TracerBoolConversionError"],
        20: ["not confirmed: the line was run, and nothing failed there"],
        26: ["not confirmed: no function was traced when the line was run"],
        30: ["confirmed at run time: the line was run while a function was traced"],
        35: ["the line was run"],
        48: ["not confirmed: the line was run, and did not go beyond the limit of compilations"],
        53: ["not seen: this run did not reach the line"],
    }


def test_compiling_again_and_again_is_found_with_what_has_changed(tmp_path: Path) -> None:
    program = """\
        import oakum as jax
        import oakum.numpy as jnp

        @jax.jit
        def step(x, rate):
            return x * rate

        def grow(n):
            return step(jnp.ones(n), 0.5)

        for n in range(12):
            grow(n)
        for n in range(12):
            jax.jit(lambda x: x + 1)(1.0)
        for n in range(40):
            step(jnp.ones(n % 8 + 20), 0.5)
    """
    status, found = report(tmp_path, program)
    assert status == 1
    seen = {each["line"]: each for each in found if "RetraceError" in str(each["notes"])}
    assert {line: each["code"] for line, each in seen.items()} == {9: "OAK308", 14: "OAK307"}
    assert "argument `x` became float32[8] from float32[7]" in str(seen[9]["notes"])
    assert "confirmed at run time" in str(seen[14]["notes"])
    assert report(tmp_path, program, "--checks", "leaks")[0] == 0


def test_a_function_that_is_traced_to_another_program_is_found(tmp_path: Path) -> None:
    program = """\
        import random
        import time

        import oakum as jax
        import oakum.numpy as jnp

        count = 0
        log = open("log.txt", "w")

        @jax.jit
        def noisy(x):
            noise = random.random()
            print("traced")
            print("traced", file=log, flush=True)
            return x + noise

        @jax.jit
        def counted(x):
            global count
            count += 1
            return jax.lax.scan(lambda c, y: (c * count, y), x, jnp.ones(3))[0]

        @jax.jit
        def looped(x):
            for _ in range(3 + (time.perf_counter_ns() % 1009)):
                x = x + 1
            return x

        @jax.jit
        def clean(x):
            return jnp.where(x > 0, x @ jnp.ones(x.shape), jax.random.normal(jax.random.key(0)))

        print(noisy(1.0) == noisy(1.0), counted(1.0), looped(1.0) > 0, clean(jnp.ones(3)))
        print(count)
    """
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "program.py").write_text(textwrap.dedent(program))
    plain = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path / "plain", capture_output=True, text=True
    )
    out = tmp_path / "report.json"
    done = run(tmp_path, program, "--output-format", "json", "--output-file", str(out))
    assert done.stdout == plain.stdout
    assert (tmp_path / "log.txt").read_text() == "traced\n"
    found = json.loads(out.read_text())
    varying = {each["line"] for each in found if each["code"] == "OAK115"}
    assert {15, 21} <= varying
    assert varying <= {15, 21, *range(24, 28)}
    notes = {each["line"]: str(each["notes"]) for each in found}
    assert "A constant was 1" in notes[21]
    assert "confirmed at run time: the line was run while a function was traced" in notes[12]


def test_what_real_jax_compiles_again_and_again_is_found(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    program = """\
        import functools
        import jax
        import jax.numpy as jnp

        @functools.partial(jax.jit, static_argnames="n")
        def power(x, n):
            return x**n

        x = jnp.ones(3)
        for n in range(12):
            power(x, n)
        for n in range(40):
            power(x, n % 3)
    """
    _, found = report(tmp_path, program, "--checks", "retraces")
    (seen,) = [each for each in found if "RetraceError" in str(each["notes"])]
    assert (seen["code"], seen["line"]) == ("OAK308", 11)
    assert "confirmed at run time" in str(seen["notes"])


@pytest.mark.parametrize("engine", ["jax", "oakum"])
def test_a_loop_that_waits_for_the_device_in_each_step_is_found(
    tmp_path: Path, engine: str
) -> None:
    """A read of an epoch, of each twentieth step, of an array that is there, and one that is shown
    are what a good program does.
    """
    pytest.importorskip("jax")
    program = """\
        import jax
        import jax.numpy as jnp
        import numpy as np

        @jax.jit
        def step(w):
            return w * 0.99, jnp.mean(w**2)

        def above(w):
            return int(jnp.sum(w > 0.5))

        w, kept = jnp.ones(8), []
        for i in range(40):
            w, loss = step(w)
            kept.append(float(loss))
            if loss < 0:
                break
        while loss > 0.2:
            w, loss = step(w)
            host = np.asarray(w)
            kept.append(loss.item())
        counts = [above(w + i) for i in range(20)]

        flag = jnp.array(True)
        for i in range(400):
            w, loss = step(w)
            if i % 20 == 0:
                kept.append(float(loss))
            if flag:
                kept.append(loss)
            if i < 30:
                print("step", i, f"{float(loss):.3f}",
                    loss.item())
        for epoch in range(20):
            for batch in range(10):
                w, loss = step(w)
            kept.append(float(loss))
        kept = np.asarray(kept).tolist()
        jax.tree.map(lambda x: float(x), list(jnp.arange(40.0)))
    """
    options = ("--checks", "transfers", "--engine", engine)
    status, found = report(tmp_path, program, *options)
    assert status == 0
    assert {each["line"] for each in found} == {10, 15, 16, 18, 20, 21}
    assert {each["code"] for each in found} == {"OAK706"}
    assert {each["confidence"] for each in found} == {"likely"}
    (first,) = [each for each in found if each["line"] == 15]
    assert first["message"] == "float() fetches an array of the device 40 times, in a loop"
    assert "float32[]" in str(first["notes"])


def test_jax_is_oakum_where_that_is_asked_for(tmp_path: Path) -> None:
    program = "import jax; print(type(jax.numpy.ones(1)).__module__.partition('.')[0])"
    assert run(tmp_path, program, "--engine", "oakum").stdout == "oakum\n"


def test_an_error_of_real_jax_says_what_oakum_knows(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    program = """\
        import jax
        f = jax.jit(lambda x: bool(x))
        f(1)
    """
    done = run(tmp_path, program)
    assert "program.py:2." in done.stderr
    assert "OAK201 tracer-in-branch: oakum explain OAK201" in done.stderr
    assert done.returncode == 1


def test_checks_are_chosen_and_misspelt_ones_are_refused(tmp_path: Path) -> None:
    program = "import oakum.numpy as jnp; print(jnp.log(jnp.array(-1.0)))"
    assert run(tmp_path, program, "--checks", "keys").returncode == 0
    assert run(tmp_path, program).returncode == 1
    done = run(tmp_path, program, "--checks", "key")
    assert done.returncode == 2
    assert done.stderr == f"oakum: --checks key: the checks are {', '.join(CHECKS)}\n"


def test_a_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [*OAKUM, "run", "nowhere.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (2, "oakum: no such file: nowhere.py\n")


def test_all_that_is_found_on_a_line_is_reported(tmp_path: Path) -> None:
    program = """\
        import oakum as jax, oakum.numpy as jnp
        key = jax.random.key(0)
        print(jax.random.normal(key), jax.random.normal(key), jnp.log(jnp.array(-1.0)))
    """
    _, found = report(tmp_path, program)
    assert {each["code"] for each in found if each["line"] == 3} == {"OAK401", "OAK605"}


def test_the_report_takes_the_place_of_no_program(tmp_path: Path) -> None:
    done = run(tmp_path, "print(1)", "--output-file", "program.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the report would take the place of code" in done.stderr
    assert (tmp_path / "program.py").read_text() == "print(1)"


def test_a_script_without_a_suffix_is_code_too(tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("print(1)")
    assert main(["run", "--output-file", str(tmp_path / "." / "tool"), str(script)]) == 2
    assert script.read_text() == "print(1)"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_the_program_gets_the_signal_that_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [*OAKUM, "run", "--isolated", "program.py"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.terminate()
        assert process.wait(timeout=30) == 7


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_program_that_goes_on_after_an_interrupt_is_waited_for(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to both: the report and the status are still the program's."""
    (tmp_path / "program.py").write_text(
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, lambda *_: (time.sleep(0.5), sys.exit(7)))\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [*OAKUM, "run", "--isolated", "program.py"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=30) == 7


def test_a_line_that_a_killed_program_has_begun_is_passed_over(tmp_path: Path) -> None:
    program = """\
        import os, sys, oakum.numpy as jnp
        jnp.log(jnp.array(-1.0))
        report = next(f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd")
                      if "oakum-run-" in os.readlink(f"/proc/self/fd/{each}"))
        os.write(os.open(report, os.O_WRONLY | os.O_APPEND), b'{"found": {"co')
        os._exit(3)
    """
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("the report of the program is found by Linux's list of open files")
    done = run(tmp_path, program)
    assert done.returncode == 3
    assert "program.py:2:1" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_what_was_found_survives_a_killed_program(tmp_path: Path) -> None:
    program = f"""\
        import os, oakum.numpy as jnp
        jnp.log(jnp.array(-1.0))
        os.kill(os.getpid(), {int(signal.SIGKILL)})
    """
    done = run(tmp_path, program)
    assert done.returncode == 137
    assert "program.py:2:1" in done.stderr
    assert "the program ended without a report" in done.stderr


OTHER_JAX = """
import sys, types
__version__ = "0.99.0"
class Array:
    def __init__(self, value): self.value = value
    def __mul__(self, other): return Array(self.value * other)
    def __getattr__(self, name): raise RuntimeError(f"{name} is elsewhere")
def jit(function):
    return lambda x: function(core.Tracer(x))
core = types.SimpleNamespace(Tracer=type("Tracer", (Array,), {}))
def __getattr__(name): raise RuntimeError(f"{name} is elsewhere")
"""
OTHER_TRACE_STATE = """
calls = 0
def get_opaque_trace_state():
    global calls
    calls += 1
    if calls > ALLOWED: raise RuntimeError("trace states are elsewhere")
    return calls
"""


@pytest.mark.parametrize("allowed", [None, 0, 1, 2, 5])
def test_an_unknown_version_of_jax_is_left_alone(allowed: int | None, tmp_path: Path) -> None:
    """What checks ask of JAX is missing there, or raises errors: the program must not see them."""
    package = tmp_path / "jax"
    if allowed is None:
        package.mkdir()
        (package / "__init__.py").write_text("def jit(function): return function")
    else:
        (package / "extend").mkdir(parents=True)
        (package / "__init__.py").write_text(OTHER_JAX)
        (package / "extend" / "__init__.py").touch()
        text = OTHER_TRACE_STATE.replace("ALLOWED", str(allowed))
        (package / "extend" / "core.py").write_text(text)
    program = """
        import jax
        kept = []
        @jax.jit
        def f(x):
            y = x * 2
            kept.append(y)
            return y
        for i in range(5):
            y = f(i)
        print("last", y if isinstance(y, int) else y.value)
        raise SystemExit(3)
    """
    done = run(tmp_path, program)
    assert done.stdout.splitlines()[0] == "last 8"
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
