"""Imports that fixes add: among those of their kind, and none where a name means something else."""

import pytest
from fixing import fix_text

BODY = """

@jax.jit
def f(x, n):
    for i in range(n):
        x = x + i
    return x


f(1.0, 3)
"""
HEADS = [
    (
        "import jax\n",
        "import functools\n\nimport jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import os\n\nimport jax\n",
        "import functools\nimport os\n\nimport jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "from .os import y\n\nimport jax\n",
        "import functools\n\nfrom .os import y\n\nimport jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import jax\nfrom .os import y\n",
        "import functools\n\nimport jax\nfrom .os import y\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import abc\nimport zlib\nimport jax\n",
        "import abc\nimport functools\nimport zlib\nimport jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport jax\n',
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport functools\n\nimport jax\n',
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        '"""Doc."""\nimport jax\n',
        '"""Doc."""\nimport functools\n\nimport jax\n',
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "#!/usr/bin/env python\n# coding: utf-8\nimport jax\n",
        "#!/usr/bin/env python\n# coding: utf-8\nimport functools\n\nimport jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import numpy as np, jax\n",
        "import functools\n\nimport numpy as np, jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "from jax import jit\nimport jax\n",
        "import functools\n\nfrom jax import jit\nimport jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import os; import jax\n",
        "import functools\nimport os; import jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "from functools import partial\nimport jax\n",
        "from functools import partial\nimport jax\n",
        '@partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import functools as ft\nimport jax\n",
        "import functools as ft\nimport jax\n",
        '@ft.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import typing\nimport jax  # the library\n",
        "import functools\nimport typing\nimport jax  # the library\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "if True:\n    import os\nimport jax\n",
        "if True:\n    import os\nimport functools\n\nimport jax\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
    (
        "import jax\r\n",
        "import functools\r\n\r\nimport jax\r\n",
        '@functools.partial(jax.jit, static_argnames=("n",))',
    ),
]
"""What a file begins with, before and after, and the decorator of the function then."""


@pytest.mark.parametrize(("before", "after", "decorator"), HEADS)
def test_an_import_is_put_among_those_of_its_kind(before: str, after: str, decorator: str) -> None:
    """A user's linter of imports has nothing to say, and nobody's name is taken."""
    end = "\r\n" if "\r" in before else "\n"
    text = fix_text(before + BODY.replace("\n", end)).text
    assert text == after + BODY.replace("@jax.jit", decorator).replace("\n", end)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import time\n\nimport numpy as np\nfrom jax import jit\n",
            "import time\n\nimport jax\nimport numpy as np\nfrom jax import jit\n",
        ),
        (
            "import time\nimport flax\nimport numpy as np\nfrom jax import jit\n",
            "import time\nimport flax\nimport jax\nimport numpy as np\nfrom jax import jit\n",
        ),
        ("from jax import jit\nimport time\n", "import jax\nfrom jax import jit\nimport time\n"),
    ],
)
def test_an_import_of_jax_follows_those_of_python(before: str, after: str) -> None:
    """It stood above `import logging`, where no formatter of imports leaves it."""
    body = (
        "f = jit(lambda x: x @ x)\nx = f(f.a)\nt = time.time()\ny = f(x)\nprint(time.time() - t)\n"
    )
    text = fix_text(before + body).text
    assert text == after + body.replace("y = f(x)\n", "y = f(x)\njax.block_until_ready(y)\n")


@pytest.mark.parametrize(
    "head",
    [
        "try:\n    import jax\nexcept ImportError:\n    raise SystemExit\n",
        "import sys\nif sys.argv:\n    import jax\n",
        "def load():\n    import jax\n    return jax\njax = load()\n",
    ],
)
def test_no_import_is_put_above_one_that_may_fail(head: str) -> None:
    """The module could not be imported any more where the library is missing."""
    body = "@jax.jit\ndef f(x):\n    if x > 0:\n        x = -x\n    return x\nf(1.0)\n"
    text = fix_text(head + body).text
    assert "import jax.numpy" not in text


def test_a_library_is_not_there_that_type_checkers_alone_import() -> None:
    """The fixed function raised NameError."""
    head = "import typing\nfrom jax import jit\nif typing.TYPE_CHECKING:\n    import jax\n"
    body = (
        "f = jit(lambda x: x @ x)\nx = f(f.a)\nt = time.time()\ny = f(x)\nprint(time.time() - t)\n"
    )
    text = fix_text("import time\n" + head + body).text
    assert "block_until_ready" not in text or "\nimport jax\n" in text
