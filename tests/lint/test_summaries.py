"""A remembered call gives what a fresh one would: speed changes no report."""

from pathlib import Path

import pytest
from program_cases import PROGRAMS, read_programs
from small_programs import assert_reported, only

from oakum_lint.analysis import analyse
from oakum_lint.finding import Confidence
from oakum_lint.interp import functions
from oakum_lint.interp.machine import Machine


def forgets(_machine: Machine, _key: object) -> None:
    return None


def reports(files: list[Path]) -> list[tuple[object, str, str]]:
    return [
        (finding.location, finding.code, finding.confidence.value)
        for report in analyse(files)
        for finding in report.findings
    ]


def test_findings_are_the_same_with_and_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all labelled programs at once, in which helpers are called again and again."""
    files = [file for program in read_programs() for file in program.files]
    assert files, PROGRAMS
    remembered = reports(files)
    monkeypatch.setattr(functions, "recall", forgets)
    assert reports(files) == remembered


def test_a_call_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a helper of ten levels, each calling the next twice, takes a thousand calls."""
    recalled: list[bool] = []

    def counting(machine: Machine, key: object) -> object:
        found = recall(machine, key)
        recalled.append(found is not None)
        return found

    recall = functions.recall
    monkeypatch.setattr(functions, "recall", counting)
    levels = "\n".join(f"def f{n}(x):\n    return f{n - 1}(x) + f{n - 1}(x)" for n in range(1, 11))
    assert_reported(f"def f0(x):\n    return x\n{levels}\njax.jit(f10)(jnp.ones(3))\n")
    assert any(recalled)
    assert len(recalled) < 60


def test_a_write_is_repeated_by_a_remembered_call() -> None:
    assert_reported(
        """
        state = {"last": None}

        def keep(value):
            state["last"] = value

        keep(1)
        state["last"] = None
        keep(1)

        @jax.jit
        def f(x):
            if state["last"] is None:
                return x
            if x > 0:  #! OAK201
                return x
            return -x

        f(jnp.ones(()))
        """
    )


def test_a_call_is_not_remembered_across_changed_state() -> None:
    assert_reported(
        """
        class Options:
            pass

        options = Options()
        options.check = False

        def positive(x):
            if options.check:
                return bool(x > 0)  #! OAK204
            return True

        @jax.jit
        def f(x):
            positive(x)
            options.check = True
            return positive(x)
        """
    )


def test_two_calls_do_not_share_the_list_that_they_return() -> None:
    assert_reported(
        """
        def empty():
            return []

        outer = empty()

        @jax.jit
        def f(x):
            inner = empty()
            inner.append(x)
            outer.append(x)  #! OAK101
            return x
        """
    )


def test_a_helper_called_with_a_tracer_and_a_number_is_judged_for_each() -> None:
    assert_reported(
        """
        def sign(x):
            if x > 0:  #! OAK201
                return 1
            return -1

        print(sign(3))

        @jax.jit
        def f(x):
            return sign(x) * sign(3)
        """
    )


def test_a_helper_is_judged_in_the_trace_of_each_caller() -> None:
    """Under grad alone its branch is fine; under jit it is not."""
    assert_reported(
        """
        def relu(x):
            if x > 0:  #! OAK201
                return x
            return 0.0 * x

        jax.grad(relu)(1.0)
        jax.jit(relu)(1.0)
        """
    )


def test_what_is_probably_a_tracer_does_not_hide_what_certainly_is_one() -> None:
    """An attribute of a traced object may be static; the report is likely until one is proved."""
    findings = assert_reported(
        """
        def convert(value):
            return float(value)  #! OAK204

        @jax.jit
        def f(state):
            return convert(state.x)

        @jax.jit
        def g(x):
            return convert(x)
        """
    )
    assert only(findings).confidence is Confidence.PROVED
