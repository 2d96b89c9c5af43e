"""`oakum run`: a program behaves as without it, and its report says what the run has shown."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp")),
}

LEAKY = """\
import oakum as jax
import oakum.numpy as jnp

seen = []


@jax.jit
def step(x):
    y = jnp.sin(x)
    seen.append(y)
    return y


print(float(step(1.0)) > 0)
"""


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def oakum_run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "oakum_lint", "run", *arguments)


def findings(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    done = oakum_run(folder, "--output-format", "json", "--output-file", "report.json", *arguments)
    assert done.stderr == "", done.stderr
    return json.loads((folder / "report.json").read_text())


def notes(finding: dict[str, Any]) -> str:
    return "\n".join(finding["notes"])


PLAIN = {
    "arguments": 'import sys\nprint(sys.argv, __name__, sys.path[0])\nsys.exit("no")\n',
    "status": "import sys\nprint('out')\nsys.exit(7)\n",
    "exception": "def f():\n    raise KeyError('k')\n\n\nf()\n",
    "main": "import __main__\nprint(__main__.__file__, __main__.__spec__, __main__.__doc__)\n",
    "exit handlers": "import atexit\natexit.register(print, 'last')\nprint('first')\n",
    "input": "print(input())\n",
    "spawn": (
        "import multiprocessing as mp\ndef work(n):\n    return n + 1\n"
        "if __name__ == '__main__':\n    with mp.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(work, [1, 2]))\n"
    ),
    "signal": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_program_behaves_as_without_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "script.py").write_text(PLAIN[name])
    outcomes: list[tuple[str, str, int]] = []
    for start in (["script.py"], ["-m", "oakum_lint", "run", "--output-file", "r", "script.py"]):
        done = subprocess.run(
            [sys.executable, *start, "--flag", "-m", "x"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            input="typed\n",
            capture_output=True,
            text=True,
            check=False,
        )
        status = 128 - done.returncode if done.returncode < 0 else done.returncode
        outcomes.append((done.stdout, done.stderr, status))
    assert outcomes[0] == outcomes[1]


def test_a_module_runs_as_python_runs_it(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "__main__.py").write_text("import sys\nprint(__package__, sys.argv)\n")
    plain = python(tmp_path, "-m", "package", "a")
    done = oakum_run(tmp_path, "--output-file", "r", "-m", "package", "a")
    assert (done.stdout, done.returncode) == (plain.stdout, 0)


def test_a_leak_is_found_on_the_line_that_stored_it_and_confirms_the_finding(
    tmp_path: Path,
) -> None:
    (tmp_path / "script.py").write_text(LEAKY)
    (found,) = findings(tmp_path, "script.py")
    assert (found["code"], found["line"]) == ("OAK101", 10)
    assert "confirmed at run time" in notes(found)
    done = oakum_run(tmp_path, "script.py")
    assert (done.stdout, done.returncode) == ("True\n", 1)
    assert oakum_run(tmp_path, "--exit-zero", "script.py").returncode == 0


def test_what_the_analysis_cannot_see_is_reported_from_the_run(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import oakum as jax\nimport oakum.numpy as jnp\n\n\n"
        "@jax.jit\ndef entropy(p):\n    return -(p * jnp.log(p)).sum()\n\n\n"
        "print(entropy(jnp.array(eval('[0.5, 0.0]'))))\n"
    )
    (found,) = findings(tmp_path, "script.py")
    assert (found["code"], found["line"]) == ("OAK605", 7)
    assert "seen at run time" in notes(found)
    assert findings(tmp_path, "--checks", "leaks,keys", "script.py") == []


def test_a_finding_on_a_way_not_taken_says_that_it_was_not_met(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import sys\n\nimport oakum as jax\n\n\n"
        "@jax.jit\ndef f(x):\n    if len(sys.argv) > 9:\n        return int(x)\n    return x\n\n\n"
        "f(1.0)\n"
    )
    (found,) = findings(tmp_path, "script.py")
    assert found["code"] == "OAK204"
    assert "not met at run time: `f` was traced to its end" in notes(found)


def test_an_error_that_the_program_goes_on_from_is_likely(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import oakum.numpy as jnp\n\n\n"
        "def add(n):\n    return jnp.ones(3) + jnp.ones(n)\n\n\n"
        "try:\n    add(int('4'))\nexcept TypeError:\n    print('expected')\n"
    )
    (found,) = findings(tmp_path, "script.py")
    assert (found["code"], found["confidence"]) == ("OAK501", "likely")
    assert oakum_run(tmp_path, "script.py").returncode == 0


def test_reused_keys_are_found_and_the_program_goes_on(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import oakum as jax\n\nkeys = {'a': jax.random.key(0)}\n"
        "for _ in range(2):\n    jax.random.normal(keys['a'])\nprint('end')\n"
    )
    done = oakum_run(tmp_path, "--output-format", "concise", "script.py")
    assert done.stdout == "end\n"
    assert "script.py:5" in done.stderr
    assert "OAK401" in done.stderr


def test_programs_for_jax_run_on_oakum(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        LEAKY.replace("oakum as jax", "jax").replace("oakum.numpy as jnp", "jax.numpy as jnp")
        + "print(jax.__name__)\ntry:\n    import jax.nonsense\n"
        "except ModuleNotFoundError as error:\n    print(error)\n"
    )
    done = oakum_run(tmp_path, "--engine", "oakum", "--output-format", "concise", "script.py")
    missing = "oakum stands for jax in this program, and has no module 'jax.nonsense'"
    assert done.stdout == f"True\noakum\n{missing}\n"
    assert "script.py:10:5: OAK101" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["missing.py"], ["--checks", "leeks", "script.py"], ["--output-file", "script.py"]],
)
def test_a_mistake_on_the_command_line_runs_nothing(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "script.py").write_text("print('ran')\n")
    done = oakum_run(tmp_path, *arguments, "script.py")
    assert (done.stdout, done.returncode) == ("", 2)


def test_the_program_decides_what_comes_of_an_interruption(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import time\nprint('ready', flush=True)\ntry:\n    time.sleep(60)\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    command = [sys.executable, "-m", "oakum_lint", "run", "--output-file", "r", "script.py"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout.read() == "stopped\n"
        assert process.wait() == 0
