"""`oakum.show`, and the stages of compiled functions: what users see of the compiler."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import oakum
from oakum import numpy as jnp
from oakum.compile.native import jit_link
from oakum.errors import InvalidValueError

META = f'<meta charset="utf-8">\n<meta name="generator" content="oakum {oakum.__version__}">'


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


def layered(w: Any, x: Any) -> Any:
    def body(carry: Any, _: object) -> Any:
        return jnp.sin(carry) * 2.0, carry.sum()

    hidden = jnp.tanh(x @ w) + 1.0
    return oakum.lax.scan(body, jnp.sort(hidden, 0), None, length=3)


def test_the_page_of_a_program_has_its_steps_with_times(capsys: pytest.CaptureFixture[str]) -> None:
    """The page leaves out a step, its time, what was fused into it, or the body of a loop."""
    page = oakum.show(layered, jnp.ones((32, 16)), jnp.ones((64, 32)), html=True)
    assert capsys.readouterr().out == ""
    assert page is not None
    tree = ElementTree.fromstring(page.replace("<!doctype html>", "").replace(META, ""))
    titles = [each.text for each in tree.iter("h2")]
    assert titles[0] == "The program"
    assert "scan of step" in str(titles[1])
    boxes = ["".join(each.itertext()) for each in tree.iter("a")]
    contraction = next(box for box in boxes if "contraction" in box)
    assert "dot_general" in contraction
    assert "tanh" in contraction
    assert " us, " in contraction
    assert any("sort" in box and "host" in box for box in boxes)
    assert any("sin" in box for box in boxes)
    targets = {each.attrib["href"].removeprefix("#") for each in tree.iter("a")}
    assert targets == {each.attrib["id"] for each in tree.iter("details")}
    paths = len(list(tree.iter("path")))
    assert paths >= 6, "what passes from step to step is not drawn"
    assert f"{__file__}:" in page or "test_looking.py:" in page


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    """The style of the page reaches the notebook around it."""
    page: Any = oakum.show(scaled, jnp.ones(8), html=True)
    frame = ElementTree.fromstring(page._repr_html_())
    assert frame.tag == "iframe"
    assert frame.attrib["srcdoc"] == " ".join(page.split("\n"))


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
