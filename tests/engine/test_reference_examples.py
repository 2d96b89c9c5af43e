"""The examples of public functions run, and show what they show: a reader copies them."""

import contextlib
import doctest
import io
import math
import re
import statistics
import warnings

import pytest
from test_documentation import functions

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.values import reference

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w])")


def session(lines: str) -> str:
    """The lines of a session, and what it shows after each."""
    names = {"__name__": "example", "jax": jax, "jnp": jnp, "lax": lax}
    shown: list[str] = []
    for example in doctest.DocTestParser().get_examples(lines + "\n"):
        first, *more = example.source.rstrip("\n").split("\n")
        shown += [f">>> {first}", *(f"... {line}" for line in more)]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(compile(example.source, "<example>", "single"), names)
            except Exception as error:
                print(f"Traceback (most recent call last):\n{type(error).__name__}: ...")
        shown += [line.rstrip() for line in out.getvalue().rstrip("\n").split("\n") if line]
    return "\n".join(shown)


def alike(first: str, second: str) -> bool:
    """Whether two sessions are the same, but for rounding and layout."""
    texts = [re.sub(r"\s+", "", NUMBER.sub("0", text)) for text in (first, second)]
    numbers = [[float(found) for found in NUMBER.findall(text)] for text in (first, second)]
    return texts[0] == texts[1] and all(
        math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-5)
        for one, other in zip(*numbers, strict=True)
    )


@pytest.mark.parametrize("table", reference.TABLES)
def test_each_example_shows_what_it_says(table: str, request: pytest.FixtureRequest) -> None:
    rows = reference.examples(table)
    seen = {name: session(lines) for name, lines in rows.items()}
    if request.config.getoption("--update-golden"):
        text = "\n\n".join(f"{name}\n{lines}" for name, lines in sorted(seen.items()))
        reference.example_file(table).write_text(f"{text}\n", encoding="utf-8")
        return
    assert [*rows] == sorted(rows), "`--update-golden` sorts them"
    wrong = [f"{name}\n{seen[name]}" for name in rows if not alike(rows[name], seen[name])]
    assert wrong == []


def test_sessions_differ_where_a_number_or_a_word_does() -> None:
    text = "Array([0.5, 1. ], dtype=float32)"
    assert alike(text, "Array([0.50000001, 1.], dtype=float32)")
    assert not alike(text, "Array([0.6, 1. ], dtype=float32)")
    assert not alike(text, "Array([0.5, 1. ], dtype=float64)")


def test_each_function_that_is_evaluated_has_an_example_that_calls_it() -> None:
    found = functions()
    for name, function in found.items():
        if function.is_evaluated:
            last = name.rpartition(".")[2]
            assert re.search(rf"\b{last}\b", reference.example(name)), name
        else:
            assert "OAK007" in (function.__doc__ or ""), name


def test_help_is_worth_reading() -> None:
    lengths = [len((function.__doc__ or "").splitlines()) for function in functions().values()]
    assert statistics.median(lengths) >= 12


def test_help_says_what_comes_of_arrays_and_where_numpy_differs() -> None:
    assert "f32[2,3], f32[2,3] -> f32[2,3]" in (jnp.arctan2.__doc__ or "")
    assert "i32[2,3] -> f32[2,3]" in (jnp.sin.__doc__ or "")
    assert "i32[2,3]: OAK502 (dtype-mismatch)" in (lax.expm1.__doc__ or "")
    assert "f32[3,3] -> f32[3,3]" in (jnp.linalg.inv.__doc__ or "")
    assert "that NumPy's does not have: `total_repeat_length`" in (jnp.repeat.__doc__ or "")
    assert "NumPy's that are not there: `out`, `casting`." in (jnp.concatenate.__doc__ or "")
