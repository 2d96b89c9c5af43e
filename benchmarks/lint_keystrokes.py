"""What a key costs in the editor's server: a person types into the middle of a file of 1,200 lines.

    python benchmarks/lint_keystrokes.py [PACKAGE [FILE]]

A copy of an installed package (flax) is the workspace, one of its files (linen/linear.py) is open.
Each text is typed key by key, and then taken out key by key; each key waits for the diagnostics of
the one before. What is counted is the CPU time of the server and of its process for open documents,
in milliseconds, apart for keys that leave a program and for those that leave no Python.
"""

import argparse
import importlib.util
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client  # noqa: E402

_SETTLED = 3.0
"""Seconds without work of any process after which an opened file is known."""

_TYPED = {
    "a statement in a method": 'scaled = jnp.dot(x, {"a": [x]}["a"][0])',
    "a function in a method": "@jax.jit\ndef f(x):\n  return f(x) + (x * 2)",
    "a text of several lines": 'text = """one (\ntwo"""',
}
_TYPED_OUTSIDE = {"a function of the module": "@jax.jit\ndef f(x):\n  return x + 1"}


def main() -> None:
    """Types, and prints what it has cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", nargs="?", default="flax")
    parser.add_argument("file", nargs="?", default="linen/linear.py")
    chosen = parser.parse_args()
    spec = importlib.util.find_spec(chosen.package)
    assert spec is not None
    assert spec.origin is not None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        shutil.copytree(Path(spec.origin).parent, root / chosen.package)
        (root / "pyproject.toml").touch()
        file = root / chosen.package / chosen.file
        client = Client(root, patience=120.0)
        text = file.read_text(encoding="utf-8")
        client.open(file.as_uri(), text)
        typing = _Typing(client, file.as_uri(), text)
        typing.settle()
        for what, typed in _TYPED.items():
            typing.type(what, typed, *typing.in_method())
        for what, typed in _TYPED_OUTSIDE.items():
            typing.type(what, typed, *typing.between_functions())
        _show("all keys", sorted(typing.spent))
        client.kill()


class _Typing:
    """A document that is typed into."""

    def __init__(self, client: Client, uri: str, text: str) -> None:
        self.client = client
        self.uri = uri
        self.text = text
        self.version = 1
        self.spent: list[float] = []

    def settle(self) -> None:
        """Waits until the server has nothing more to do."""
        self.client.published(self.uri)
        before, since = -1.0, time.monotonic()
        while time.monotonic() - since < _SETTLED:
            spent = _seconds(self.client.pid, background=True)
            if spent - before > 0.05:
                before, since = spent, time.monotonic()
            time.sleep(0.2)

    def type(self, what: str, typed: str, place: int, margin: str) -> None:
        """Types a text on a line of its own, and takes it out again. The editor indents lines."""
        keys = [f"\n{margin}" if key == "\n" else key for key in typed]
        steps = [*range(len(keys) + 1), *range(len(keys) - 1, -1, -1)]
        costs: dict[bool, list[float]] = {False: [], True: []}
        for count in steps:
            line = f"{margin}{''.join(keys[:count])}\n"
            text = self.text[:place] + line + self.text[place:]
            costs[_is_python(text)].append(self._send(text))
        for is_python, spent in costs.items():
            _show(f"{what}, {'Python' if is_python else 'no Python'}", sorted(spent))
            self.spent += spent

    def in_method(self) -> tuple[int, str]:
        """Where the last statement of a method in the middle of the file begins, and its margin."""
        lines = self.text.splitlines(keepends=True)
        returns = (n for n, line in enumerate(lines) if line.lstrip().startswith("return"))
        number = next(n for n in returns if n >= len(lines) // 2)
        margin = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
        return sum(map(len, lines[:number])), margin

    def between_functions(self) -> tuple[int, str]:
        """Where one types between two definitions of the module."""
        lines = self.text.splitlines(keepends=True)
        starts = (n for n, line in enumerate(lines) if line.startswith("class "))
        number = next(n for n in starts if n >= len(lines) // 2)
        while lines[number - 1].startswith("@"):
            number -= 1
        return sum(map(len, lines[: number - 1])), ""

    def _send(self, text: str) -> float:
        before = _seconds(self.client.pid)
        self.version += 1
        self.client.change(self.uri, text, self.version)
        found = self.client.published(self.uri, self.version)
        assert all(each["code"] != "OAK003" for each in found), "the machine is too busy"
        return (_seconds(self.client.pid) - before) * 1000


def _is_python(text: str) -> bool:
    try:
        compile(text, "typed", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _show(name: str, spent: list[float]) -> None:
    if spent:
        late = spent[min(len(spent) - 1, round(len(spent) * 0.95))]
        median = statistics.median(spent)
        print(f"{name:42} {len(spent):3} keys  p50 {median:6.1f}  p95 {late:6.1f}  "
              f"max {spent[-1]:6.1f}", flush=True)  # fmt: skip


def _seconds(server: int, *, background: bool = False) -> float:
    """The CPU seconds of a server and of the processes that it has started, those of low priority
    only if they are asked for.
    """
    threads = Path(f"/proc/{server}/task").iterdir()
    children = [
        int(each) for thread in threads for each in (thread / "children").read_text().split()
    ]
    counted = [each for each in children if background or _priority(each) == 0]
    return sum(map(_seconds_of, (server, *counted)))


def _priority(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[16])
    except OSError:
        return 0


def _seconds_of(process: int) -> float:
    """The CPU seconds of a process, as Linux counts them: its clock has the number that C's
    `clock_getcpuclockid` makes of the number of the process.
    """
    try:
        return time.clock_gettime(~process << 3 | 2)
    except OSError:
        return 0.0


if __name__ == "__main__":
    main()
