"""Random edits of a small project whose bugs lie in several files: for comparing a run that uses
the index with a fresh one.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "programs"

_FUNCTIONS = (
    "def {name}(x):\n    if x.sum() > {n}:\n        return x\n    return -x\n",
    "def {name}(x):\n    return float(x.sum()) + {n}\n",
    "def {name}(x):\n    seen.append(x)\n    return x * {n}\n",
    "def {name}(x):\n    return jnp.where(x > {n}, x, -x)\n",
    "def {name}(key):\n    a = jax.random.normal(key, ({n},))\n"
    "    return a + jax.random.normal(key, ({n},))\n",
    "def {name}(x, n={n}):\n    for i in range(n):\n        x = x + i\n    return x\n",
    "def {name}(x):\n    return helper(x)[{n}]\n",
    "class {name}:\n    def __init__(self):\n        self.total = {n}\n\n"
    "    def __call__(self, x):\n        self.total = x\n        return bool(x.any())\n",
)
_USES = (
    "print(jax.jit({name})(jnp.ones(3)))\n",
    "jax.grad(lambda x: {name}(x).sum())(jnp.ones(3))\n",
    "out = jax.vmap({name})(jnp.ones((2, 3)))\n",
    "@jax.jit\ndef run_{name}(x):\n    return {name}(x)\n",
    "table = [{name}]\njax.jit(table[0])(jnp.ones(3))\n",
    "jax.jit({name}())(jnp.ones(3))\n",
)
_STATEMENTS = (
    "return x",
    "return {n}",
    "return bool(x.any())",
    "return jax.jit(lambda y: y * {n})",
    "raise ValueError({n})",
    "seen.append(x)",
    "seen.clear()",
    "x = x + {n}",
    "x = float(x)",
    "jax.jit(lambda y: y if y > {n} else -y)(x)",
    "jax.jit(alpha)(x)",
    "beta(x)",
    "yield x",
    "global seen",
    "import numpy as np",
    "if x > {n}: return x",
    "def inner(y): return float(y)",
    "print(jax.vmap(gamma)(x))",
    "# a comment",
    "'a text'",
    "pass",
)
_AT_TOP = (
    "import numpy as np",
    "import functools",
    "@jax.jit",
    "@functools.partial(jax.jit, static_argnums=0)",
    "limit = {n}",
    "seen = [{n}]",
    "cache = {{{n}: seen}}",
    "seen.append({n})",
    "cache[{n}] = jax.numpy.ones({n})",
    "f{n} = jax.jit(f{n})",
    "f{n} = None",
    "from functools import partial as f{n}",
    "jax.jit(f{n})(jnp.ones(3))",
    "jax.vmap(f1{n})(jnp.ones((2, 3)))",
    "jax.config.update('jax_enable_x64', {n} > 1)",
    "if seen: f{n} = len",
    "class Kept: total = f{n}",
    "def f{n}(x): return x if x.sum() > {n} else -x",
    "def f1{n}(x, n=f{n}): return n(x)",
    "# a comment",
    "",
)
_SCRIPT = """

if __name__ == "__main__":
    x = {name}(jnp.ones(3))
    seen.append({last})
    print(jax.jit({other})(x))


def {last}_again(x):
    return {last}(x)
"""
_FOLDERS = ("", "pkg", "pkg/sub", "tools")
_NAMES = ("alpha", "beta", "gamma", "delta")


def module_of(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _is_program(text: str) -> bool:
    try:
        compile(text, "edited", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class Project:
    """A project on disk, and the edits that it gets."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        (root / "pyproject.toml").touch()
        for folder in ("pkg", "pkg/sub"):
            (root / folder).mkdir(parents=True, exist_ok=True)
            (root / folder / "__init__.py").touch()
        (root / "tools").mkdir(exist_ok=True)
        for file in ("alpha.py", "pkg/beta.py", "pkg/sub/gamma.py", "tools/delta.py"):
            self._write(file, self._text(file))
        programs = sorted(PROGRAMS.glob("*.py"))
        for program in self.chance.sample(programs, 3):
            self._write(f"tools/{program.name}", program.read_text(encoding="utf-8"))

    def edit(self) -> str:
        """Makes one edit; what it was."""
        edits: tuple[Callable[[str], str], ...] = (
            self._add, self._add, self._add, self._use, self._use, self._use, self._rewrite,
            self._remove_lines, self._number, self._number, self._comment, self._shift,
            self._rename, self._delete, self._create, self._create, self._break, self._suppress,
            self._swap, self._package, self._link, self._configure, self._restore,
            self.edit_body, self.edit_body, self.edit_body,
        )  # fmt: skip
        files = self._files()
        edit = self.chance.choice(edits) if len(files) > 2 else self._create
        file = self.chance.choice(files) if files else "alpha.py"
        return f"{edit.__name__} {edit(file)}"

    def edit_body(self, file: str) -> str:
        """Changes what a function does, and the lines of all that stands below it."""
        lines = self._read(file).splitlines(keepends=True)
        places = [
            place
            for place, line in enumerate(lines)
            if line.startswith("    ") and not line.lstrip().startswith(("def ", "class ", "@"))
        ]
        if not places:
            return f"{file}: nothing"
        edited = what = ""
        for _ in range(20):  # mostly what is still a program
            edited, what = self._with_statement(lines, self.chance.choice(places))
            if _is_program(edited):
                break
        self._write(file, edited)
        return f"{file}:{what}"

    def edit_top(self, file: str) -> str:
        """Changes what stands outside of functions: a statement comes or goes, or another one has
        its place.
        """
        lines = self._read(file).splitlines(keepends=True)
        places = [place for place, line in enumerate(lines) if not line.startswith((" ", "\n"))]
        edited, what = [*lines], "nothing"
        for _ in range(20):
            place = self.chance.choice([*places, len(lines)])
            text = self.chance.choice(_AT_TOP).format(n=self.chance.randrange(4))
            edited = [*lines]
            edited[place : place + (self.chance.random() < 0.3)] = [f"{text}\n"] if text else []
            what = f"{place} {text}"
            if _is_program("".join(edited)):
                break
        self._write(file, "".join(edited))
        return f"{file}:{what}"

    def _with_statement(self, lines: list[str], place: int) -> tuple[str, str]:
        edited = [*lines]
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip(" "))]
        statement = self.chance.choice(_STATEMENTS).format(n=self.chance.randrange(4))
        line = f"{indent}{statement}\n"
        edited[place : place + (self.chance.random() < 0.4)] = [line]
        return "".join(edited), f"{place} {statement}"

    def a_file(self) -> str:
        """One of the files that hold something."""
        files = self._files()
        return self.chance.choice([file for file in files if self._read(file)] or files)

    # --- files --------------------------------------------------------------------------------

    def _files(self) -> list[str]:
        found = (path for path in self.root.rglob("*.py") if path.is_file())
        return sorted(path.relative_to(self.root).as_posix() for path in found)

    def _read(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def _write(self, file: str, text: str) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _text(self, file: str) -> str:
        head = "import jax\nimport jax.numpy as jnp\n\nseen = []\n\n\n"
        return head + self._function() + "\n\n" + self._using(file)

    def _function(self) -> str:
        template = self.chance.choice(_FUNCTIONS)
        return template.format(name=self.chance.choice(_NAMES), n=self.chance.randrange(4))

    def _using(self, file: str) -> str:
        name, other = self.chance.choice(_NAMES), self.chance.choice(self._files() or [file])
        use = self.chance.choice(_USES).format(name=name)
        way = self.chance.randrange(4)
        if way == 0:
            return f"from {module_of(other) or 'pkg'} import {name}\n{use}"
        if way == 1:
            return f"from {module_of(other) or 'pkg'} import *\n{use}"
        if way == 2:
            return f"from . import {Path(other).stem}\nhelper = {Path(other).stem}.{name}\n{use}"
        return use

    # --- edits --------------------------------------------------------------------------------

    def _add(self, file: str) -> str:
        self._write(file, f"{self._read(file)}\n\n{self._function()}")
        return file

    def _use(self, file: str) -> str:
        self._write(file, f"{self._read(file)}\n{self._using(file)}")
        return file

    def _rewrite(self, file: str) -> str:
        self._write(file, self._text(file))
        return file

    def _remove_lines(self, file: str) -> str:
        lines = self._read(file).splitlines(keepends=True)
        start = self.chance.randrange(len(lines) + 1)
        del lines[start : start + self.chance.randrange(1, 4)]
        self._write(file, "".join(lines))
        return f"{file}:{start}"

    def _number(self, file: str) -> str:
        text = self._read(file)
        places = [place for place, letter in enumerate(text) if letter.isdigit()]
        if places:
            place = self.chance.choice(places)
            self._write(file, f"{text[:place]}{self.chance.randrange(10)}{text[place + 1 :]}")
        return file

    def _comment(self, file: str) -> str:
        lines = self._read(file).splitlines(keepends=True)
        lines.insert(self.chance.randrange(len(lines) + 1), "# a comment\n")
        self._write(file, "".join(lines))
        return file

    def _shift(self, file: str) -> str:
        self._write(file, "\n" + self._read(file))
        return file

    def _rename(self, file: str) -> str:
        new = self._new_name()
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.root / file, self.root / new)
        return f"{file} {new}"

    def _new_name(self) -> str:
        folder = self.chance.choice(_FOLDERS)
        return f"{folder}/{self.chance.choice(_NAMES)}.py".lstrip("/")

    def _delete(self, file: str) -> str:
        (self.root / file).unlink()
        return file

    def _create(self, file: str) -> str:
        new = self._new_name()
        (self.root / new).unlink(missing_ok=True)
        self._write(new, self._text(file))
        return new

    def _break(self, file: str) -> str:
        text = self._read(file)
        self._write(
            file, text.removesuffix("def f(:\n") if "def f(:" in text else f"{text}\ndef f(:\n"
        )
        return file

    def _suppress(self, file: str) -> str:
        comment = self.chance.choice(("  # noqa: OAK201", "  # oakum: ignore", "  # noqa"))
        lines = self._read(file).splitlines()
        if lines:
            place = self.chance.randrange(len(lines))
            lines[place] += comment
        self._write(file, "\n".join(lines) + "\n")
        return file

    def _swap(self, file: str) -> str:
        other = self.chance.choice(self._files())
        first, second = self._read(file), self._read(other)
        self._write(file, second)
        self._write(other, first)
        return f"{file} {other}"

    def _package(self, _file: str) -> str:
        """A folder becomes a package, or is one no more."""
        init = self.root / self.chance.choice(_FOLDERS[1:]) / "__init__.py"
        if init.exists():
            init.unlink()
        else:
            init.parent.mkdir(parents=True, exist_ok=True)
            init.write_text("from .beta import *\n" if self.chance.random() < 0.5 else "")
        return str(init.relative_to(self.root))

    def _link(self, file: str) -> str:
        """A name leads to another file, from outside of what is checked, too."""
        new = self.root / self._new_name()
        target = self.root.parent / f"outside-{self.root.name}" / f"{self.chance.choice(_NAMES)}.py"
        target.parent.mkdir(exist_ok=True)
        target.write_text(self._text(file))
        if new.is_symlink() or not new.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            new.symlink_to(target)
        return f"{new.relative_to(self.root)} {target.name}"

    def _configure(self, _file: str) -> str:
        text = self.chance.choice(
            ("", "[tool.oakum]\nassume-traced = 'annotated'\n", "[tool.oakum]\nignore = ['OAK2']\n",
             "[tool.pytest.ini_options]\npythonpath = ['pkg']\n")
        )  # fmt: skip
        (self.root / "pyproject.toml").write_text(text)
        return repr(text)

    def _restore(self, _file: str) -> str:
        """All texts of before come back: entries of then are right again."""
        kept = self.root.parent / f"kept-{self.root.name}"
        if kept.exists():
            for file in self._files():
                (self.root / file).unlink()
            for saved in sorted(path for path in kept.rglob("*.py") if path.is_file()):
                self._write(saved.relative_to(kept).as_posix(), saved.read_text(encoding="utf-8"))
        else:
            for file in self._files():
                path = kept / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self._read(file), encoding="utf-8")
        return "all"


_CALLING = (
    "def {name}(x):\n    y = {other}(x)\n    if y.sum() > {n}:\n        return y\n    return x\n",
    "@jax.jit\ndef {name}(x):\n    return {other}(x) + {n}\n",
    "def {name}(x, steps={n}):\n    for _ in range(steps):\n        x = jax.grad({other})(x)\n"
    "    return x\n",
    "def {name}(key):\n    first = jax.random.normal(key, ({n},))\n"
    "    return {other}(first) + jax.random.normal(key)\n",
    "class {name}:\n    total = 0\n\n    def __init__(self, x=None):\n        self.x = x\n\n"
    "    @jax.jit\n    def step(self, y):\n        self.total = {other}(y)\n"
    "        return self.total\n",
    "def {name}(x):\n    def inner(y):\n        return {other}(y)\n\n"
    "    return jax.vmap(inner)(x)\n",
    "def test_{name}():\n    assert {other}(jnp.ones({n})) is not None\n"
    "    jax.jit({other})(jnp.ones(3))\n",
    "def {name}(x):\n    cache[{n}] = x\n    return jax.jit({other})(x)\n",
    "def make_{name}(n={n}):\n    step = n + 1\n\n    def first(x):\n        return x * n\n\n"
    "    @jax.jit\n    def update(x):\n        y = first({other}(x))\n"
    "        return y - step\n\n    return update\n\n\n{name} = make_{name}()\n",
    "def {name}_of(scale):\n    size = scale\n\n    def outer(x):\n        total = 0\n\n"
    "        def inner(y):\n            nonlocal total\n            total = y\n"
    "            return {other}(y)\n\n        return inner(x) + total\n\n"
    "    sizes = [size for _ in range(2)]\n    return outer\n\n\n{name} = {name}_of({n})\n"
    "jax.jit({name})(jnp.ones(3))\n",
)


class Library(Project):
    """A project whose files use one another's functions, in functions alone, or where they are run
    themselves. They import all names, or those that they use.
    """

    def __init__(
        self, root: Path, seed: int, *, by_name: bool = False, has_scripts: bool = False
    ) -> None:
        super().__init__(root, seed)
        for file in self._files():
            if not file.endswith("__init__.py"):
                (root / file).unlink()
        names = [f"f{number}" for number in range(36)]
        for place in range(6):
            folder = ("pkg", "pkg/sub", "tools")[place % 3]
            own, known = names[place * 6 : place * 6 + 6], names[: place * 6 + 6]
            lines = "import jax\nimport jax.numpy as jnp\n\ncache = {}\nseen = []\n"
            for before in range(place):
                module = f"{('pkg', 'pkg/sub', 'tools')[before % 3]}/lib{before}.py"
                imported = ", ".join(names[before * 6 : before * 6 + 6]) if by_name else "*"
                lines += f"from {module_of(module)} import {imported}\n"
            for name in own:
                text = self.chance.choice((*_CALLING, *_FUNCTIONS))
                other = self.chance.choice(known)
                lines += "\n\n" + text.format(name=name, other=other, n=self.chance.randrange(4))
            if has_scripts:
                lines += _SCRIPT.format(name=own[0], last=own[-1], other=known[0])
            self._write(f"{folder}/lib{place}.py", lines)
