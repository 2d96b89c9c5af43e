"""The server as an editor meets it: the real process, over its standard streams."""

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from client import Client, Message

from oakum_lsp.documents import edit

GOOD = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return jnp.where(x > 0, x, -x)
"""
BAD = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    s = "\U0001f600"; y = x if jnp.sum(x) > 0 else -x
    return y
"""
BAD_LINE = 6  # counted from 0
TEST = "jnp.sum(x) > 0"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    client = Client(tmp_path)
    try:
        yield client
    finally:
        client.kill()


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "train.py").as_uri()


def test_a_finding_is_published_on_open_with_all_that_an_editor_shows(
    client: Client, uri: str
) -> None:
    client.open(uri, BAD)
    (found,) = client.published(uri)
    line = BAD.splitlines()[BAD_LINE]
    start = len(line[: line.index(TEST)].encode("utf-16-le")) // 2
    assert found["range"]["start"] == {"line": BAD_LINE, "character": start}
    assert found["range"]["end"]["line"] == BAD_LINE
    assert found["code"] == "OAK201"
    assert found["source"] == "oakum"
    assert found["severity"] == 1
    headline, note, *_, hint = found["message"].splitlines()
    assert headline == f"`... if ... else ...` on traced value `{TEST}`"
    assert "TracerBoolConversionError" in note
    assert hint.startswith("Write `jnp.where(")
    assert found["relatedInformation"]
    assert {r["location"]["uri"] for r in found["relatedInformation"]} == {uri}
    href: str = found["codeDescription"]["href"]
    page = Path(unquote(urlparse(href).path))
    assert page.read_text(encoding="utf-8").startswith("# OAK201 tracer-in-branch")


@pytest.mark.parametrize(
    ("encodings", "agreed", "units"),
    [(["utf-8", "utf-16"], "utf-8", 4), (["utf-32"], "utf-32", 1), (["utf-16"], "utf-16", 2)],
)
def test_columns_are_in_the_units_that_were_agreed_on(
    tmp_path: Path, uri: str, encodings: list[str], agreed: str, units: int
) -> None:
    client = Client(tmp_path, encodings)
    try:
        assert client.capabilities["positionEncoding"] == agreed
        client.open(uri, BAD)
        (found,) = client.published(uri)
    finally:
        client.kill()
    in_code_points = BAD.splitlines()[BAD_LINE].index(TEST)
    assert found["range"]["start"]["character"] == in_code_points - 1 + units


def test_findings_follow_what_is_typed_not_what_is_on_disk(
    client: Client, uri: str, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text(BAD)
    client.open(uri, GOOD)
    assert client.published(uri) == []
    client.change(uri, BAD, 2)
    assert [found["code"] for found in client.published(uri, 2)] == ["OAK201"]
    client.change(uri, GOOD, 3)
    assert client.published(uri, 3) == []


def test_quick_changes_are_answered_once(client: Client, uri: str) -> None:
    """Typing must not queue up one check for each key."""
    client.open(uri, GOOD)
    client.published(uri)
    for version in range(2, 30):
        client.change(uri, BAD if version % 2 else GOOD, version)
    message = client.receive()
    while message.get("method") != "textDocument/publishDiagnostics":
        message = client.receive()
    assert message["params"]["version"] == 29


def test_a_syntax_error_is_published_and_goes_away(client: Client, uri: str) -> None:
    client.open(uri, "def f(:\n    pass\n")
    (found,) = client.published(uri)
    assert found["code"] == "OAK001"
    assert found["range"]["start"]["line"] == 0
    client.change(uri, GOOD, 2)
    assert client.published(uri, 2) == []


def test_a_change_in_one_document_shows_in_another(client: Client, tmp_path: Path) -> None:
    """The helper is at fault only because the other document traces it."""
    helper, train = (tmp_path / "helper.py").as_uri(), (tmp_path / "train.py").as_uri()
    harmful = "def positive(x):\n    if x > 0:\n        return x\n    return -x\n"
    eager = "from helper import positive\n\npositive(1.0)\n"
    traced = (
        "import jax\nfrom helper import positive\n\n\n"
        "@jax.jit\ndef f(x):\n    return positive(x)\n\n\nf(1.0)\n"
    )
    client.open(helper, harmful)
    assert client.published(helper) == []
    client.open(train, eager)
    assert client.published(train) == []
    client.change(train, traced, 2)
    (found,) = client.published(helper)
    assert (found["code"], found["range"]["start"]["line"]) == ("OAK201", 1)
    assert train in {r["location"]["uri"] for r in found["relatedInformation"]}
    client.change(train, eager, 3)
    assert client.published(helper) == []


def test_saving_publishes_again(client: Client, uri: str) -> None:
    client.open(uri, BAD)
    first = client.published(uri)
    client.save(uri)
    assert client.published(uri) == first


def test_closing_clears(client: Client, uri: str) -> None:
    client.open(uri, BAD)
    assert client.published(uri)
    client.close(uri)
    assert client.published(uri) == []


def test_a_document_that_was_never_saved_is_checked(client: Client) -> None:
    client.open("untitled:Untitled-1", BAD)
    assert [found["code"] for found in client.published("untitled:Untitled-1")] == ["OAK201"]


def test_excluded_documents_have_no_findings(client: Client, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.oakum]\nextend-exclude = ["old"]\n')
    uri = (tmp_path / "old" / "train.py").as_uri()
    client.open(uri, BAD)
    assert client.published(uri) == []


def actions(client: Client, uri: str, line: int, only: list[str] | None = None) -> list[Message]:
    place = {"line": line, "character": 25}
    context = {"diagnostics": [], **({"only": only} if only else {})}
    return client.request(
        "textDocument/codeAction",
        {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context},
    )


def applied(action: Message, uri: str, text: str) -> str:
    """The text after the one edit of an action, as an editor that counts in UTF-16 makes it."""
    (change,) = action["edit"]["changes"][uri]
    return edit(text, change["range"], change["newText"], "utf-16")


def test_a_fix_is_offered_where_its_finding_is(client: Client, uri: str) -> None:
    client.open(uri, BAD)
    (found,) = client.published(uri)
    action, *_ = actions(client, uri, BAD_LINE)
    assert action["kind"] == "quickfix"
    assert action["isPreferred"]
    assert action["diagnostics"] == [found]
    (change,) = action["edit"]["changes"][uri]
    assert change["newText"] == "jnp.where(jnp.sum(x) > 0, x, -x)"
    line = BAD.splitlines()[BAD_LINE]
    start = len(line[: line.index("x if")].encode("utf-16-le")) // 2
    assert change["range"]["start"] == {"line": BAD_LINE, "character": start}
    assert actions(client, uri, 0) == []


def test_a_finding_is_suppressed_by_the_comment_that_is_offered(client: Client, uri: str) -> None:
    """Behind what stands on the line, in the editor's units; the finding is gone with it."""
    client.open(uri, BAD)
    (found,) = client.published(uri)
    _, action, *_ = actions(client, uri, BAD_LINE)
    assert action["title"] == "Suppress OAK201 with a comment"
    assert not action["isPreferred"]
    assert action["diagnostics"] == [found]
    client.change(uri, applied(action, uri, BAD), 2)
    assert client.published(uri, 2) == []


def test_a_comment_that_suppresses_takes_one_code_more(client: Client, uri: str) -> None:
    comment = "# oakum: ignore[OAK204] it runs eagerly"
    text = BAD.replace("else -x\n", f"else -x  {comment}\n")
    client.open(uri, text)
    client.published(uri)
    *_, action = (
        each for each in actions(client, uri, BAD_LINE) if each["title"].startswith("Suppress")
    )
    after = applied(action, uri, text)
    assert after.splitlines()[BAD_LINE].endswith("# oakum: ignore[OAK204, OAK201] it runs eagerly")


def test_two_findings_that_one_comment_hides_have_one_action(client: Client, uri: str) -> None:
    text = BAD.replace("y = x if", "y = -x if jnp.max(x) > 9 else x if")
    client.open(uri, text)
    found = client.published(uri)
    assert [each["code"] for each in found] == ["OAK201", "OAK201"]
    place: Message = {"textDocument": {"uri": uri}, "context": {"diagnostics": []}}
    asked = {"start": {"line": BAD_LINE, "character": 0}, "end": {"line": 7, "character": 0}}
    offered = client.request("textDocument/codeAction", {**place, "range": asked})
    (action,) = (each for each in offered if each["title"].startswith("Suppress"))
    assert action["diagnostics"] == found
    client.change(uri, applied(action, uri, text), 2)
    assert client.published(uri, 2) == []


def test_the_fixes_of_a_rule_are_made_together(client: Client, uri: str) -> None:
    """Those of a rule that has several findings with safe fixes, and no other; the page of each."""
    text = (
        "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n@jax.jit\ndef f(x):\n"
        "    a, b = np.sin(x), np.cos(x)\n    return float(x), a, b\n"
    )
    client.open(uri, text)
    codes = [each["code"] for each in client.published(uri)]
    assert codes == ["OAK208", "OAK208", "OAK204"]
    line = text.splitlines().index("    a, b = np.sin(x), np.cos(x)")
    place: Message = {"textDocument": {"uri": uri}, "context": {"diagnostics": []}}
    asked = {"start": {"line": line, "character": 12}, "end": {"line": line, "character": 12}}
    offered = client.request("textDocument/codeAction", {**place, "range": asked})
    titles = [each["title"] for each in offered]
    assert titles[1] == "Make all safe fixes of OAK208 here", titles
    edits = offered[1]["edit"]["changes"][uri]
    assert sorted(each["newText"] for each in edits) == ["jnp.cos", "jnp.sin"]
    assert titles[-1] == "Explain OAK208"
    page = offered[-1]["command"]["arguments"][0]["uri"]
    assert page.endswith("/OAK208.md")
    assert offered[-1]["command"]["command"] == "oakum.show"


@pytest.mark.parametrize("text", ["def f(:\n", "x = 1  # oakum: ignore[OAK201]\n"])
def test_what_no_comment_hides_is_not_offered_one(client: Client, uri: str, text: str) -> None:
    """A syntax error, and a comment that suppresses nothing."""
    client.open(uri, text)
    (found,) = client.published(uri)
    place: Message = {"textDocument": {"uri": uri}, "context": {"diagnostics": []}}
    offered = client.request("textDocument/codeAction", {**place, "range": found["range"]})
    assert not [each for each in offered if each["title"].startswith("Suppress")]


def test_no_fix_is_offered_for_a_text_that_has_changed(client: Client, uri: str) -> None:
    """Its edits would land somewhere else."""
    client.open(uri, BAD)
    client.published(uri)
    client.change(uri, f"\n{BAD}", 2)
    assert actions(client, uri, BAD_LINE) == []


@pytest.fixture
def resolving(tmp_path: Path) -> Iterator[Client]:
    """An editor that asks for the edits of an action once that is chosen."""
    resolved = {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
    client = Client(tmp_path, code_action=resolved)
    try:
        yield client
    finally:
        client.kill()


def test_a_fix_gets_its_edits_when_it_is_chosen(resolving: Client, uri: str) -> None:
    """By then an analysis has confirmed it, also as one of several, which are made together."""
    assert resolving.capabilities["codeActionProvider"]["resolveProvider"] is True
    resolving.open(uri, BAD)
    resolving.published(uri)
    action, comment, *_ = actions(resolving, uri, BAD_LINE)
    assert "edit" not in action
    assert "edit" in comment
    chosen = resolving.request("codeAction/resolve", action)
    after = applied(chosen, uri, BAD)
    assert after.splitlines()[BAD_LINE].endswith("y = jnp.where(jnp.sum(x) > 0, x, -x)")
    resolving.change(uri, f"\n{BAD}", 2)
    assert "has changed" in resolving.refused("codeAction/resolve", action)
    several = (
        "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n@jax.jit\ndef f(x):\n"
        "    a, b = np.sin(x), np.cos(x)\n    return a, b\n"
    )
    resolving.change(uri, several, 3)
    resolving.published(uri, 3)
    together = actions(resolving, uri, 7)[1]
    assert together["title"] == "Make all safe fixes of OAK208 here"
    edits = resolving.request("codeAction/resolve", together)["edit"]["changes"][uri]
    assert [each["newText"] for each in edits] == ["    a, b = jnp.sin(x), jnp.cos(x)\n"]


def test_a_fix_that_no_analysis_confirms_is_not_made(resolving: Client, uri: str) -> None:
    """The text would be formatted of a tracer."""
    text = "import jax\n\n\n@jax.jit\ndef f(x, n):\n    return x, '%d' % int(n)\n\n\nf(1.0, 2)\n"
    resolving.open(uri, text)
    assert "OAK204" in [each["code"] for each in resolving.published(uri)]
    action = next(e for e in actions(resolving, uri, 5) if "Convert" in e["title"])
    assert "is not made" in resolving.refused("codeAction/resolve", action)


def test_all_safe_fixes_are_one_action_when_they_are_asked_for(client: Client, uri: str) -> None:
    """What an editor does when a file is saved."""
    client.open(uri, BAD)
    client.published(uri)
    (action,) = actions(client, uri, 0, ["source.fixAll"])
    (change,) = action["edit"]["changes"][uri]
    assert change["range"]["start"] == {"line": BAD_LINE, "character": 0}
    assert change["newText"].endswith("y = jnp.where(jnp.sum(x) > 0, x, -x)\n")


def test_a_mistake_in_the_configuration_is_shown_and_survived(
    client: Client, uri: str, tmp_path: Path
) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.oakum]\nselct = []\n")
    client.open(uri, BAD)
    message = client.receive()
    while message.get("method") != "window/showMessage":
        message = client.receive()
    assert "did you mean `select`" in message["params"]["message"]
    file.write_text("[tool.oakum]\n")
    client.save(uri)
    assert client.published(uri)


def test_goodbye_ends_the_process_with_0(client: Client) -> None:
    assert client.stop() == 0


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="what is loaded cannot be seen")
def test_the_parser_is_loaded_before_the_first_key(client: Client, tmp_path: Path) -> None:
    """It takes a third of a second, and a document whose units are kept is checked without it."""
    uri = (tmp_path / "plain.py").as_uri()
    client.open(uri, "x = 1\n")
    assert client.published(uri) == []
    children = Path(f"/proc/{client.pid}/task/{client.pid}/children").read_text().split()
    (worker,) = children
    until = time.monotonic() + 20
    while "libcst" not in Path(f"/proc/{worker}/maps").read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
