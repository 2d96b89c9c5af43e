"""`pytest --oakum-check`: tests of users fail where a check finds something, and only then.

Where one fails, a user's suite misses a leak or a reused key, or fails without one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

SUITE = """\
    import oakum as jax
    import oakum.numpy as jnp
    import pytest

    kept = []

    @jax.jit
    def step(x):
        kept.append(x * 2)
        return x

    def test_leak():
        step(1.0)

    @pytest.mark.parametrize("n", [2, 3])
    def test_leaks_at_one_line(n):
        step(jnp.ones(n))

    @pytest.mark.oakum_ignore("leaks")
    def test_leak_that_is_meant():
        step(jnp.ones(4))

    def test_key():
        key = jax.random.key(0)
        jax.random.normal(key)
        jax.random.normal(key)

    @pytest.mark.oakum_ignore
    def test_all_left_out():
        assert jnp.isnan(jnp.log(jnp.array(-1.0)))

    def test_nan():
        assert jnp.isnan(jnp.log(jnp.array(-1.0)))

    def test_clean():
        first, second = jax.random.split(jax.random.key(0))
        assert jax.random.normal(first) != jax.random.normal(second)
"""


def run(folder: Path, suite: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_suite.py").write_text(textwrap.dedent(suite))
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "oakum.api.pytest_plugin", *options]
    # Where the package is installed, the plugin is there without `-p`.
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def failed(done: subprocess.CompletedProcess[str]) -> list[str]:
    lines = done.stdout.splitlines()
    return [line.split("::")[1].split(" ")[0] for line in lines if line.startswith("FAILED")]


def test_tests_pass_while_the_checks_are_off(tmp_path: Path) -> None:
    assert run(tmp_path, SUITE).returncode == 0


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_what_is_found_fails_the_test(tmp_path: Path, workers: tuple[str, ...]) -> None:
    done = run(tmp_path, SUITE, "--oakum-check", "leaks,keys,nans", *workers)
    assert done.returncode == 1
    assert sorted(failed(done)) == [
        *("test_key", "test_leak", "test_leaks_at_one_line[2]", "test_leaks_at_one_line[3]"),
        "test_nan",
    ]
    assert "test_suite.py:9: OAK101" in done.stdout
    assert "Split the key with jax.random.split" in done.stdout
    leaks = [line for line in done.stdout.splitlines() if line.endswith(": 3 tests")]
    assert len(leaks) == 1
    assert "test_suite.py:9: OAK101 tracer-in-outer-container" in leaks[0]


def test_only_the_checks_that_are_named_are_on(tmp_path: Path) -> None:
    assert failed(run(tmp_path, SUITE, "--oakum-check", "keys")) == ["test_key"]
    done = run(tmp_path, SUITE, "--oakum-check", "key")
    assert done.returncode == 4
    assert "--oakum-check key: the checks are leaks, keys, nans, infs," in done.stderr


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_what_a_baseline_knows_fails_no_test(tmp_path: Path, workers: tuple[str, ...]) -> None:
    checks = ("--oakum-check", "leaks,keys", *workers)
    assert run(tmp_path, SUITE, *checks, "--oakum-write-baseline").returncode == 0
    known = ("--oakum-baseline", "oakum-tests-baseline.json")
    assert failed(run(tmp_path, "# A line moves the others.\n" + SUITE, *checks, *known)) == []
    other = textwrap.dedent(SUITE).replace("kept.append(x * 2)", "kept.append(x * 3)")
    assert sorted(failed(run(tmp_path, other, *checks, *known))) == [
        *("test_leak", "test_leaks_at_one_line[2]", "test_leaks_at_one_line[3]")
    ]
    (tmp_path / "broken.json").write_text("[]")
    done = run(tmp_path, SUITE, *checks, "--oakum-baseline", "broken.json")
    assert done.returncode == 4
    assert "--oakum-baseline broken.json: it has not the form of a baseline" in done.stderr


def test_a_loop_that_waits_in_each_step_fails_its_test(tmp_path: Path) -> None:
    suite = """\
        import oakum.numpy as jnp

        def test_slow():
            total, x = 0.0, jnp.arange(3.0)
            for i in range(50):
                total += float(jnp.sum(x * i))

        def test_quick():
            total, x = jnp.zeros(()), jnp.arange(3.0)
            for i in range(50):
                total += jnp.sum(x * i)
            assert float(total) > 0
    """
    done = run(tmp_path, suite, "--oakum-check", "transfers")
    assert "1 failed, 1 passed" in done.stdout
    assert "test_suite.py:6: OAK706" in done.stdout


def test_errors_of_real_jax_say_what_oakum_knows(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    suite = """\
        import jax
        def test_branch():
            jax.jit(lambda x: bool(x))(1)
        def test_nan():
            loss = jax.numpy.log(-1.0)
    """
    done = run(tmp_path, suite, "--oakum-check", "nans")
    assert sorted(failed(done)) == ["test_branch", "test_nan"]
    assert "OAK201 tracer-in-branch: oakum explain OAK201" in done.stdout
    assert failed(run(tmp_path, suite)) == ["test_branch"]


def test_log_records_that_pytest_keeps_are_no_leaks(tmp_path: Path) -> None:
    """Whoever logs a traced value was shown pytest's own line as the one that leaks."""
    suite = """\
        import logging
        import {0} as jax, {0}.numpy as jnp

        @jax.jit
        def step(x):
            logging.getLogger("steps").warning("x is %s", x * 2)
            return x

        def test_step():
            step(jnp.ones(3))
    """
    for package in ("oakum", "jax"):
        done = run(tmp_path, suite.format(package), "--oakum-check", "leaks")
        assert done.returncode == 0, done.stdout
