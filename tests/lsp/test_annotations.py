"""What an editor shows in the text: inlay hints, code lenses, tokens, and why code is traced."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from client import Client, Message

STEP = dedent(
    """\
    import jax
    import jax.numpy as jnp
    from loss import loss


    @jax.jit
    def step(w, x):
        s = '\U0001f600'; y = jnp.tanh(x @ w)
        total, mean = y.sum(), y.mean()
        scale = 2.0
        z = scale * total + loss(y)
        return z


    def unused():
        return 1


    n = 3
    out = step(jnp.ones((4, n)), jnp.ones((2, 4)))
    """
)
LOSS = dedent(
    """\
    def loss(values):
        most = values.max()
        return most
    """
)
WORKSPACE = {
    "inlayHint": {"refreshSupport": True},
    "codeLens": {"refreshSupport": True},
    "semanticTokens": {"refreshSupport": True},
}


class Editor:
    """An editor with two documents open, one of which traces what stands in the other."""

    def __init__(self, folder: Path, client: Client) -> None:
        self.client = client
        self.step, self.loss = ((folder / name).as_uri() for name in ("step.py", "loss.py"))
        self.version = 1
        for uri, text in ((self.step, STEP), (self.loss, LOSS)):
            client.open(uri, text)

    def ask(self, method: str, uri: str, **more: object) -> Any:
        return self.client.request(method, {"textDocument": {"uri": uri}, **more})

    def hints(self, uri: str, first: int = 0, last: int = 100) -> dict[tuple[int, int], str]:
        """The hints by their places."""
        ends = [{"line": line, "character": 0} for line in (first, last)]
        asked = {"start": ends[0], "end": ends[1]}
        found: dict[tuple[int, int], str] = {}
        for each in self.ask("textDocument/inlayHint", uri, range=asked):
            place = each["position"]
            found[place["line"], place["character"]] = each["label"]
        return found

    def wait_for_hints(self, expected: bool) -> None:
        """Asks as often as the server says that something has changed, until there are hints, or
        none.
        """
        while bool(self.hints(self.step)) != expected:
            while self.client.receive().get("method") != "workspace/inlayHint/refresh":
                pass

    def lenses(self, uri: str) -> list[tuple[int, str]]:
        found = self.ask("textDocument/codeLens", uri)
        return [(each["range"]["start"]["line"], each["command"]["title"]) for each in found]

    def hover(self, uri: str, line: int, character: int) -> str:
        place = {"line": line, "character": character}
        return self.ask("textDocument/hover", uri, position=place)["contents"]["value"]

    def change(self, uri: str, text: str) -> None:
        self.version += 1
        self.client.change(uri, text, self.version)


@pytest.fixture
def editor(tmp_path: Path) -> Any:
    client = Client(
        tmp_path,
        patience=120.0,
        workspace=dict(WORKSPACE),
        settings={"inlayHints": {"enabled": True}},
        initialization={"semanticTokens": {"enabled": True}},
    )
    yield Editor(tmp_path, client)
    client.stop()


def test_traced_functions_show_what_they_bind_and_why_they_are_traced(editor: Editor) -> None:
    assert editor.hints(editor.step) == {
        (7, 15): ": traced f32[2,3]",
        (8, 15): ": traced f32[], traced f32[]",
        (10, 5): ": traced f32[]",
    }, "columns in UTF-16; nothing behind `scale` and `out`, which are no tracers"
    assert editor.hints(editor.step, 8, 9) == {(8, 15): ": traced f32[], traced f32[]"}
    assert editor.hints(editor.loss) == {(1, 8): ": traced f32[]"}
    assert editor.lenses(editor.step) == [
        (6, "traced by jax.jit (step.py:6) as f32[4,3], f32[2,4]")
    ]
    assert editor.lenses(editor.loss) == [(0, "traced by jax.jit of step (step.py:6) as f32[2,3]")]
    shown = editor.hover(editor.loss, 1, 13)
    assert "tracer f32[2,3]" in shown
    assert "traced by jax.jit of `step` at [step.py:6](file://" in shown
    assert "called: `loss` at [step.py:11]" in shown
    assert "← `step` at [step.py:20]" in shown
    legend = editor.client.capabilities["semanticTokensProvider"]["legend"]
    data = editor.ask("textDocument/semanticTokens/full", editor.loss)["data"]
    assert legend["tokenModifiers"] == ["traced"]
    assert data == [1, 4, 4, 0, 1, 0, 7, 6, 0, 1, 1, 11, 4, 0, 1], "most, values, most"


def test_an_edit_moves_what_is_shown_and_changes_it_elsewhere(editor: Editor) -> None:
    assert (7, 15) in editor.hints(editor.step)
    editor.change(editor.step, STEP.replace("    s =", "    # a comment\n    k = 1\n    s ="))
    hints = editor.hints(editor.step)
    assert hints[9, 15] == ": traced f32[2,3]"
    assert "called: `loss` at [step.py:13]" in editor.hover(editor.loss, 1, 13)
    editor.change(editor.step, STEP.replace("n = 3", "n = 5"))
    asked: set[str] = set()
    while len(asked) < 3:
        message = editor.client.receive()
        if str(message.get("method")).endswith("/refresh"):
            asked.add(message["method"])
    assert editor.lenses(editor.loss) == [(0, "traced by jax.jit of step (step.py:6) as f32[2,5]")]
    editor.change(editor.step, STEP.replace("@jax.jit\n", ""))
    assert editor.hints(editor.loss) == {}
    assert editor.lenses(editor.loss) == []


def test_a_text_that_is_no_python_shows_what_it_was(editor: Editor) -> None:
    """Hints that come and go with each key move all that stands behind them."""
    hints = editor.hints(editor.step)
    editor.change(editor.step, STEP.replace("    scale =", "    k = (\n    scale ="))
    moved = {(line + (line > 8), column): words for (line, column), words in hints.items()}
    assert editor.hints(editor.step) == moved
    assert editor.hover(editor.step, 11, 5).startswith("```python\nz\n")
    assert "called: `loss` at [step.py:12]" in editor.hover(editor.loss, 1, 13)


def test_methods_keep_the_places_of_what_traces_them(editor: Editor) -> None:
    text = dedent(
        """\
        import jax


        class Model:
            def first(self):
                return 1

            @jax.jit
            def call(x):
                y = x + 1
                return y


        Model.call(jax.numpy.ones(3))
        """
    )
    editor.change(editor.step, text)
    assert editor.lenses(editor.step) == [(8, "traced by jax.jit (step.py:8) as f32[3]")]
    editor.change(editor.step, text.replace("return 1", "a = 2\n        return a"))
    assert editor.lenses(editor.step) == [(9, "traced by jax.jit (step.py:9) as f32[3]")]
    assert editor.hints(editor.step) == {(10, 9): ": traced f32[3]"}


def test_settings_of_the_editor_switch_it_off_and_on(editor: Editor) -> None:
    client = editor.client
    assert editor.hints(editor.step)
    client.settings = {"inlayHints": {"enabled": False}, "codeLens": {"enabled": False}}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    editor.wait_for_hints(False)
    assert editor.lenses(editor.step) == []
    client.settings = {"inlayHints": {"enabled": True}, "codeLens": "nonsense"}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    editor.wait_for_hints(True)
    assert editor.lenses(editor.step) == []


@pytest.mark.parametrize("shows", [True, False])
def test_a_lens_opens_the_place_of_its_transform(tmp_path: Path, shows: bool) -> None:
    client = Client(tmp_path, patience=120.0, initialize=False)
    capabilities = {"window": {"showDocument": {"support": shows}}}
    options: Message = {"codeLens": {"enabled": True}, "inlayHints": {"enabled": False}}
    asked = {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": capabilities}
    offered = client.request("initialize", {**asked, "initializationOptions": options})
    assert "semanticTokensProvider" not in offered["capabilities"], "they have to be asked for"
    client.notify("initialized", {})
    editor = Editor(tmp_path, client)
    assert editor.hints(editor.step) == {}
    command = editor.ask("textDocument/codeLens", editor.loss)[0]["command"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": editor.loss}})
    params = {"command": command["command"], "arguments": command["arguments"]}
    method = "window/showDocument" if shows else "window/showMessage"
    client.post("workspace/executeCommand", params)
    while (message := client.receive()).get("method") != method:
        pass
    if shows:
        assert message["params"]["uri"] == editor.step
        assert message["params"]["selection"]["start"]["line"] == 5
    else:
        assert message["params"]["message"].endswith("step.py:6")
    client.stop()
