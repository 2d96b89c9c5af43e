"""Hover: what a user reads under the cursor is what the analysis knows there."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from client import Client

PROGRAM = dedent(
    """\
    import jax
    import jax.numpy as jnp


    @jax.jit
    def step(w, x):
        s = '\U0001f600'; y = jnp.tanh(x @ w)
        return y.sum()


    n = 3
    step(jnp.ones((4, n)), jnp.ones((2, 4)))
    """
)


@pytest.fixture
def client(tmp_path: Path) -> Any:
    found = Client(tmp_path)
    yield found
    found.stop()


def hover(client: Client, uri: str, text: str, word: str, shift: int = 0) -> Any:
    """What is shown at a word of a text."""
    before, _, _ = text.partition(word)
    line, start = before.count("\n"), before.rfind("\n") + 1
    units = len((before[start:]).encode("utf-16-le")) // 2 + shift
    position = {"line": line, "character": units}
    return client.request(
        "textDocument/hover", {"textDocument": {"uri": uri}, "position": position}
    )


def test_an_expression_has_its_value_and_its_trace(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, PROGRAM)
    shown = hover(client, uri, PROGRAM, "tanh(x", 1)["contents"]["value"]
    assert shown.startswith("```python\njnp.tanh\n```")
    found = hover(client, uri, PROGRAM, "x @ w", 2)
    assert "tracer f32[2,3]" in found["contents"]["value"]
    assert "(in jax.jit of `step`)" in found["contents"]["value"]
    start, end = found["range"]["start"], found["range"]["end"]
    line = PROGRAM.split("\n")[int(start["line"])].encode("utf-16-le")
    marked = line[2 * int(start["character"]) : 2 * int(end["character"])]
    assert marked.decode("utf-16-le") == "x @ w"
    assert "- 3" in hover(client, uri, PROGRAM, "n)), jnp")["contents"]["value"]


def test_where_nothing_is_evaluated_nothing_is_shown(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, PROGRAM)
    assert hover(client, uri, PROGRAM, "import jax", 2) is None
    position = {"line": 900, "character": 0}
    asked = {"textDocument": {"uri": uri}, "position": position}
    assert client.request("textDocument/hover", asked) is None
    broken = (tmp_path / "b.py").as_uri()
    client.open(broken, "def f(:\n")
    assert hover(client, broken, "def f(:\n", "f(") is None
    elsewhere = {**asked, "textDocument": {"uri": (tmp_path / "c.py").as_uri()}}
    assert client.request("textDocument/hover", elsewhere) is None


def test_the_text_in_the_editor_counts(client: Client, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("SIZE = 3\n")
    helper, uri = (tmp_path / "helper.py").as_uri(), (tmp_path / "a.py").as_uri()
    text = "import jax\nfrom helper import SIZE\nx = jax.numpy.ones(SIZE)\n"
    client.open(uri, text)
    client.open(helper, "SIZE = 5\n")
    assert "- 5" in hover(client, uri, text, "SIZE)", 1)["contents"]["value"]


def test_a_second_start_shows_what_it_knows_and_then_the_values(tmp_path: Path) -> None:
    """What was found before is shown without an analysis; values under the cursor need one."""
    (tmp_path / "pyproject.toml").touch()
    file, text = tmp_path / "a.py", PROGRAM.replace("y.sum()", "y.sum() if y.sum() > 0 else y")
    file.write_text(text, encoding="utf-8")
    uri, shown = file.as_uri(), list[object]()
    for _ in range(2):
        client = Client(tmp_path)
        try:
            client.open(uri, text)
            found = client.published(uri)
            assert [each["code"] for each in found] == ["OAK201"]
            value = hover(client, uri, text, "x @ w", 2)["contents"]["value"]
            assert "tracer f32[2,3]" in value
            shown.append((found, value))
            client.change(uri, text.replace("if y.sum() > 0 else y", ""), 2)
            assert client.published(uri, 2) == []
        finally:
            client.stop()
    assert shown[0] == shown[1]
    assert list((tmp_path / ".oakum_cache" / "parts").iterdir())
