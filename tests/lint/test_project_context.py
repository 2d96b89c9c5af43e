"""A bug that lies in two files is found by a check of either one, in every shape of a project."""

from pathlib import Path

import pytest

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.project_context import find_root
from oakum_lint.app.runner import check_paths
from oakum_lint.app.settings import Settings
from oakum_lint.domain.project import Project

HELPER = """
def signed(x):
    if x.sum() > 0:
        return x
    return -x
"""

SHAPES = {
    "function": {
        "a.py": HELPER,
        "b.py": """
            import jax, jax.numpy as jnp
            from a import signed
            print(jax.jit(signed)(jnp.ones(3)))
            """,
    },
    "method": {
        "a.py": """
            class Model:
                def apply(self, x):
                    if x.sum() > 0:
                        return x
                    return -x
            """,
        "b.py": """
            import jax, jax.numpy as jnp
            from a import Model
            model = Model()
            print(jax.jit(model.apply)(jnp.ones(3)))
            """,
    },
    "decorator": {
        "a.py": """
            from b import compiled
            import jax.numpy as jnp
            @compiled
            def signed(x):
                if x.sum() > 0:
                    return x
                return -x
            print(signed(jnp.ones(3)))
            """,
        "b.py": """
            import jax
            def compiled(function):
                return jax.jit(function)
            """,
    },
    "partial": {
        "a.py": """
            def scaled(factor, x):
                if x.sum() > factor:
                    return x
                return -x
            """,
        "b.py": """
            import functools
            import jax, jax.numpy as jnp
            from a import scaled
            step = jax.jit(functools.partial(scaled, 2.0))
            print(step(jnp.ones(3)))
            """,
    },
    "class_attribute": {
        "a.py": """
            class Config:
                width = 4
            """,
        "b.py": """
            import jax, jax.numpy as jnp
            from a import Config
            @jax.jit
            def f(x):
                return x @ jnp.ones((Config.width, 2))
            print(f(jnp.ones((2, 3))))
            """,
    },
    "re_export": {
        "pkg/__init__.py": "from pkg.core import signed\n",
        "pkg/core.py": HELPER,
        "main.py": """
            import jax, jax.numpy as jnp
            import pkg
            print(jax.jit(pkg.signed)(jnp.ones(3)))
            """,
    },
    "star_import": {
        "a.py": HELPER,
        "b.py": """
            import jax, jax.numpy as jnp
            from a import *
            print(jax.jit(signed)(jnp.ones(3)))
            """,
    },
    "init": {
        "pkg/__init__.py": HELPER,
        "main.py": """
            import jax, jax.numpy as jnp
            from pkg import signed
            print(jax.vmap(signed)(jnp.ones((2, 3))))
            """,
    },
    "two_packages_away": {
        "low/__init__.py": "",
        "low/ops.py": HELPER,
        "mid/__init__.py": "",
        "mid/layer.py": """
            from low.ops import signed
            def layer(x):
                return signed(x) + 1
            """,
        "top.py": """
            import jax, jax.numpy as jnp
            from mid.layer import layer
            print(jax.jit(layer)(jnp.ones(3)))
            """,
    },
    "test_as_only_caller": {
        "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["source"]\n',
        "source/pkg/__init__.py": "",
        "source/pkg/ops.py": HELPER,
        "tests/test_ops.py": """
            import jax, jax.numpy as jnp
            from pkg.ops import signed
            def test_signed():
                assert jax.jit(signed)(jnp.ones(3)).shape == (3,)
            """,
    },
    "uncalled_script": {
        "a.py": HELPER,
        "train.py": """
            import jax, jax.numpy as jnp
            from a import signed
            def main():
                step = jax.jit(signed)
                return step(jnp.ones(3))
            """,
    },
    "namespace_package": {
        "ns/ops.py": HELPER,
        "main.py": """
            import jax, jax.numpy as jnp
            import ns.ops
            print(jax.jit(ns.ops.signed)(jnp.ones(3)))
            """,
    },
    "constant": {
        "a.py": "WIDTH = 4\n",
        "b.py": """
            import jax, jax.numpy as jnp
            from a import WIDTH
            @jax.jit
            def f(x):
                return x @ jnp.ones((WIDTH, 2))
            print(f(jnp.ones((2, 3))))
            """,
    },
    "base_class": {
        "a.py": """
            class Base:
                def __call__(self, x):
                    return self.body(x)
            """,
        "b.py": """
            import jax, jax.numpy as jnp
            from a import Base
            class Net(Base):
                def body(self, x):
                    if x.sum() > 0:
                        return x
                    return -x
            print(jax.jit(Net())(jnp.ones(3)))
            """,
    },
    "registry": {
        "registry.py": """
            LOSSES = {}
            def register(function):
                LOSSES["signed"] = function
                return function
            def get(name):
                return LOSSES[name]
            """,
        "losses.py": """
            from registry import register
            @register
            def signed(x):
                if x.sum() > 0:
                    return x
                return -x
            """,
        "main.py": """
            import jax, jax.numpy as jnp
            import losses
            from registry import get
            print(jax.jit(get("signed"))(jnp.ones(3)))
            """,
    },
    "registry_of_classes": {
        "registry.py": """
            MODELS = {}
            def register(name):
                def add(cls):
                    MODELS[name] = cls
                    return cls
                return add
            def build(name):
                import models
                return MODELS[name]()
            """,
        "models/__init__.py": "from . import net\n",
        "models/net.py": """
            from registry import register
            @register("net")
            class Net:
                def __call__(self, x):
                    if x.sum() > 0:
                        return x
                    return -x
            """,
        "main.py": """
            import jax, jax.numpy as jnp
            from registry import build
            print(jax.jit(build("net"))(jnp.ones(3)))
            """,
    },
    "registry_of_subclasses": {
        "layers/__init__.py": "from . import signed\n",
        "layers/base.py": """
            KINDS = {}
            class Layer:
                def __init_subclass__(cls):
                    KINDS[cls.name] = cls
            """,
        "layers/signed.py": """
            from layers.base import Layer
            class Signed(Layer):
                name = "signed"
                def apply(self, x):
                    if x.sum() > 0:
                        return x
                    return -x
            """,
        "chain.py": """
            class Chain:
                def __init__(self, parts):
                    self.parts = parts
                def run(self, x):
                    for part in self.parts:
                        x = part.apply(x)
                    return x
            """,
        "main.py": """
            import jax, jax.numpy as jnp
            import layers
            from chain import Chain
            from layers.base import KINDS
            chain = Chain([KINDS["signed"]()])
            print(jax.jit(chain.run)(jnp.ones(3)))
            """,
    },
    "main_far_above": {
        "shapes.py": """
            def width():
                return 4
            """,
        "model.py": """
            import jax.numpy as jnp
            from shapes import width
            def weights():
                return jnp.ones((width(), 2))
            def apply(x):
                return x @ weights()
            """,
        "main.py": """
            import jax.numpy as jnp
            from model import apply
            def predict(options):
                return apply(jnp.ones((2, options["size"])))
            def experiment():
                return predict({"size": 3})
            def main():
                return experiment()
            """,
    },
    "one_array_twice": {
        "kernel.py": """
            import jax.numpy as jnp
            def distances(x, y):
                return jnp.sqrt(jnp.sum((x[:, None] - y[None, :]) ** 2, -1))
            """,
        "main.py": """
            import jax, jax.numpy as jnp
            from kernel import distances
            def energy(points):
                return distances(points, points).sum()
            print(jax.grad(energy)(jnp.ones((3, 2))))
            """,
    },
}


def _write(folder: Path, files: dict[str, str]) -> None:
    import textwrap

    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
    (folder / "pyproject.toml").touch()


def _found(result: CheckResult) -> set[tuple[str, int, str]]:
    return {(f.location.file, f.location.line, f.code) for f in result.findings}


@pytest.mark.parametrize("shape", SHAPES)
def test_any_file_of_a_bug_shows_it(
    shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, SHAPES[shape])
    monkeypatch.chdir(tmp_path)
    settings = Settings(str(tmp_path))
    whole = _found(check_paths(["."], settings))
    assert len(whole) == 1
    python = [file for file, text in SHAPES[shape].items() if file.endswith(".py") and text]
    assert {file: _found(check_paths([file], settings)) for file in python} == dict.fromkeys(
        python, whole
    )


def test_a_finding_elsewhere_says_so_and_is_not_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, SHAPES["function"])
    monkeypatch.chdir(tmp_path)
    result = check_paths(["b.py"], Settings(str(tmp_path)))
    (finding,) = result.findings
    assert finding.fix is None
    assert "this file was not named: `b.py` causes the finding" in finding.notes
    assert result.elsewhere == 1


def test_what_the_named_file_has_no_part_in_is_not_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, SHAPES["function"])
    (tmp_path / "c.py").write_text("def doubled(x):\n    return 2 * x\n")
    caller = tmp_path / "b.py"
    caller.write_text(caller.read_text() + "import c\nprint(c.doubled(1))\n")
    monkeypatch.chdir(tmp_path)
    assert check_paths(["c.py"], Settings(str(tmp_path))).findings == []


def test_a_suppressed_finding_elsewhere_stays_suppressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, SHAPES["function"])
    helper = tmp_path / "a.py"
    helper.write_text(helper.read_text().replace("> 0:", "> 0:  # noqa: OAK201"))
    monkeypatch.chdir(tmp_path)
    assert check_paths(["b.py"], Settings(str(tmp_path))).findings == []


def test_without_a_project_only_the_named_file_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, SHAPES["function"])
    (tmp_path / "pyproject.toml").unlink()
    monkeypatch.chdir(tmp_path)
    result = check_paths(["a.py"], Settings(str(tmp_path)))
    assert result.findings == []
    assert result.lacks_project
    named = check_paths(["a.py"], Settings(str(tmp_path)), project=".")
    assert len(named.findings) == 1
    assert not named.lacks_project


def test_a_failure_among_several_files_is_not_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, SHAPES["function"])
    monkeypatch.chdir(tmp_path)

    def fail(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(Project, "restrict", fail)
    result = check_paths(["a.py"], Settings(str(tmp_path)))
    assert [finding.code for finding in result.findings] == ["OAK004"]
    assert result.failures == 1


def test_the_repository_is_the_root_before_the_nearest_configuration(tmp_path: Path) -> None:
    inner = tmp_path / "packages" / "one"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").touch()
    assert find_root(str(inner)) == str(inner)
    (tmp_path / ".git").mkdir()
    assert find_root(str(inner)) == str(tmp_path)
