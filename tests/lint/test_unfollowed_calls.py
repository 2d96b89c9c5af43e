"""Calls that are not followed may change what they get: what that held before proves nothing."""

import pytest
from small_programs import findings_of

from oakum_lint.domain import budget

NODE = """
import contextlib
from somewhere import fetch


class Node:
    def __init__(self):
        self.w = jnp.zeros(3)
        self.kept = []


class Holder:
    def __init__(self):
        self.node = Node()


def check(node):
    assert jnp.asarray(node.kept)[0]
    return node.w + jnp.ones(4)
"""
CHAIN = "".join(
    f"def call_{each}(NAMES):\n    return call_{each + 1}(NAMES)\n\n" for each in range(5)
)
"""Five calls below a function of which nothing is known: the last is not followed."""
DEEP = "".join(f"def deep_{each}(node):\n    deep_{each + 1}(node)\n\n" for each in range(1002))

CHANGED = {
    "an object": (
        CHAIN.replace("NAMES", "node, n"),
        "def call_5(node, n):\n    node.w = jnp.zeros(4)\n    node.kept.append(n)",
        "def main(n):\n    node = Node()\n    call_0(node, n)\n    return check(node)",
    ),
    "what an object holds": (
        CHAIN.replace("NAMES", "holder, n"),
        "def call_5(holder, n):\n    holder.node.w = jnp.zeros(4)\n    holder.node.kept.append(n)",
        "def main(n):\n    holder = Holder()\n    call_0(holder, n)\n    return check(holder.node)",
    ),
    "an object of the module": (
        CHAIN.replace("NAMES", "n"),
        "NODE = Node()\n\ndef call_5(n):\n    NODE.w = jnp.zeros(4)\n    NODE.kept.append(n)",
        "def main(n):\n    call_0(n)\n    return check(NODE)",
    ),
    "a list of the module": (
        CHAIN.replace("NAMES", "n"),
        "KEPT = []\n\ndef call_5(n):\n    KEPT.append(n)",
        "def main(n):\n    call_0(n)\n    return jnp.asarray(KEPT)[0]",
    ),
    "a list in a tuple": (
        CHAIN.replace("NAMES", "pair, n"),
        "def call_5(pair, n):\n    pair[0].append(n)",
        "def main(n):\n    kept = []\n    call_0((kept, 1), n)\n    return jnp.asarray(kept)[0]",
    ),
    "a thousand calls deep": (
        DEEP,
        "def deep_1002(node):\n    node.w = jnp.zeros(4)\n    node.kept.append(1)",
        "node = Node()\ndeep_0(node)\ncheck(node)",
    ),
    "recursion": (
        "def grow(node, n):\n    if n > 0:\n        return grow(node, n - 1)",
        "    node.w = jnp.zeros(4)\n    node.kept.append(n)",
        "def main(n):\n    node = Node()\n    grow(node, n)\n    return check(node)\n\n"
        "main(fetch())",
    ),
    "context managers in one another": (
        "@contextlib.contextmanager\ndef grown(node, n):\n    if n > 0:\n"
        "        with grown(node, n - 1):\n            yield\n        return",
        "    node.w = jnp.zeros(4)\n    node.kept.append(n)\n    yield",
        "def main(n):\n    node = Node()\n    with grown(node, n):\n        return check(node)\n\n"
        "main(30)",
    ),
    "no steps are left": (
        "one = " + " + ".join(["1"] * 500),
        "def grow(node):\n    node.w = jnp.zeros(4)\n    node.kept.append(1)",
        "node = Node()\n" + "total = one + one\n" * 200 + "grow(node)\n\ndef main():\n"
        "    return check(node)",
    ),
}


@pytest.mark.parametrize("parts", CHANGED.values(), ids=CHANGED)
def test_what_a_call_that_is_not_followed_changes_is_not_proved(
    parts: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "one + one" in parts[2]:
        monkeypatch.setattr(budget, "MAX_STEPS", 1_500)
    found = findings_of(NODE + "\n\n".join(("", *parts)) + "\n")
    proved = [each.code for each in found if each.confidence == "proved"]
    assert [code for code in proved if code != "OAK003"] == []
