"""`oakum.show`, and the stages of compiled functions: what users see of the compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oakum
from oakum import numpy as jnp
from oakum.compile.native import jit_link
from oakum.errors import InvalidValueError


def scaled(x: Any, *, by: float = 2.0) -> Any:
    return {"scaled": jnp.tanh(x) * by}


def test_show_prints_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    """`oakum.show` hides a stage of a program."""
    parts = ("jaxpr", "simplified", "loops", "llvm", "assembly", "steps")
    oakum.show(scaled, jnp.ones(100), parts=parts)
    text = capsys.readouterr().out
    for part in parts:
        assert f"--- {part}" in text
    assert "tanh f" in text or "= tanh a" in text
    assert "define void @oakum_run" in text
    assert "nest (100)" in text
    assert "GB/s" in text


def test_show_refuses_unknown_parts() -> None:
    """A misspelt part is passed over."""
    with pytest.raises(InvalidValueError, match="'loop' is no part"):
        oakum.show(scaled, jnp.ones(3), parts=("loop",))


def test_stages() -> None:
    """`jit(f).lower(x).compile()` does not give what `f(x)` gives."""
    x = jnp.linspace(-1.0, 1.0, 5)
    traced = oakum.jit(scaled).trace(x, by=3.0)
    assert traced.fun_name == "scaled"
    lowered = traced.lower()
    assert "nest" in lowered.as_text("loops")
    compiled = lowered.compile()
    np.testing.assert_allclose(compiled(x, by=3.0)["scaled"], np.tanh(np.asarray(x)) * 3, rtol=1e-6)
    assert compiled.out_info["scaled"].shape == (5,)
    assert compiled.cost_analysis()["bytes accessed"] > 0
    assert compiled.memory_analysis().argument_size_in_bytes == 24
    with pytest.raises(TypeError, match="Argument types differ"):
        compiled(jnp.ones(6), by=3.0)
    with pytest.raises(InvalidValueError, match="no dialect"):
        lowered.as_text("stablehlo")


def test_the_size_of_code_is_known_from_linking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for the memory of a program compiles it a second time, which may take seconds."""
    compiled = oakum.jit(scaled).lower(jnp.ones(6)).compile()

    def refuse(*_: Any) -> Any:
        raise AssertionError("it is compiled again")

    monkeypatch.setattr(jit_link, "emit_object", refuse)
    found = compiled.memory_analysis()
    assert found.generated_code_size_in_bytes > 0
    assert (found.argument_size_in_bytes, found.output_size_in_bytes) == (24, 24)
