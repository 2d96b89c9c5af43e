"""Programs of several files with one bug each, which no file shows by itself."""

import textwrap
from pathlib import Path

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
}


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Writes the files of a program, below a folder that is the root of a project."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
    (folder / "pyproject.toml").touch()
