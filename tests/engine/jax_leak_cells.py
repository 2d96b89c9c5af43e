"""Ways in which functions under `grad` keep a tracer, and functions that keep none, on real JAX.

The line with STORE is the one that a report has to name.
"""

from typing import Final

SHAPES: Final = {
    "list_append": (
        "KEPT = []",
        "s = jnp.sin(w)\nKEPT.append(s)  # STORE",
    ),
    "list_temp": (
        "KEPT = []",
        "KEPT.append(w * 3)  # STORE",
    ),
    "list_extend": (
        "KEPT = []",
        "s = w * w\nKEPT.extend([s, s + 1])  # STORE",
    ),
    "list_insert": (
        "KEPT = []",
        "s = w * w\nKEPT.insert(0, s)  # STORE",
    ),
    "list_iadd": (
        "KEPT = []",
        "global KEPT\nKEPT += [w + 2]  # STORE",
    ),
    "dict_key": (
        "CACHE = {}",
        "h = jnp.tanh(w)\nCACHE['h'] = h  # STORE",
    ),
    "dict_two": (
        "CACHE = {}",
        "h = jnp.tanh(w)\nCACHE['n'] = 3\nCACHE['h'] = h  # STORE",
    ),
    "dict_update": (
        "CACHE = {}",
        "h = jnp.tanh(w)\nCACHE.update(h=h)  # STORE",
    ),
    "dict_setdefault": (
        "CACHE = {}",
        "h = jnp.tanh(w)\nCACHE.setdefault('h', h)  # STORE",
    ),
    "nested_dict": (
        "CACHE = {'a': {}}",
        "h = jnp.tanh(w)\nCACHE['a']['h'] = h  # STORE",
    ),
    "global": (
        "BEST = None",
        "global BEST\nb = w.max()\nBEST = b  # STORE",
    ),
    "global_tuple": (
        "BEST = None",
        "global BEST\nb = w.max()\nBEST = (1, b)  # STORE",
    ),
    "attr": (
        "class S: pass\nSTATE = S()",
        "h = jnp.cos(w)\nSTATE.h = h  # STORE",
    ),
    "attr_two": (
        "class S: pass\nSTATE = S()",
        "h = jnp.cos(w)\nSTATE.n = 1\nSTATE.h = h * 2  # STORE",
    ),
    "class_attr": (
        "class S: last = None",
        "h = jnp.cos(w)\nS.last = h  # STORE",
    ),
    "setattr": (
        "class S: pass\nSTATE = S()",
        "h = jnp.cos(w)\nsetattr(STATE, 'h', h)  # STORE",
    ),
    "deque": (
        "import collections\nQ = collections.deque(maxlen=3)",
        "h = jnp.exp(w)\nQ.append(h)  # STORE",
    ),
    "func_attr": (
        "def helper(): pass",
        "h = jnp.exp(w)\nhelper.last = h  # STORE",
    ),
    "lambda": (
        "FNS = []",
        "h = jnp.exp(w)\nFNS.append(lambda: h)  # STORE",
    ),
    "helper": (
        "KEPT = []\ndef keep(v):\n    KEPT.append(v)  # STORE",
        "keep(jnp.exp(w))",
    ),
    "logger": (
        "class Log:\n    def __init__(self): self.rows = []\n    def write(self, v):\n"
        "        self.rows.append(v)  # STORE\nLOG = Log()",
        "LOG.write(w.sum())",
    ),
    "loop": (
        "KEPT = []",
        "for i in range(3):\n    w = w * 2\n    KEPT.append(w)  # STORE",
    ),
    "argument": (
        "KEPT = []",
        "KEPT.append(w)  # STORE",
    ),
    "branch": (
        "CACHE = {}",
        "h = w + 1\nif 'a' in CACHE:\n    CACHE['a'] = 0\nelse:\n    CACHE['a'] = h  # STORE",
    ),
    "dataclass": (
        "import dataclasses\n@dataclasses.dataclass\nclass R:\n"
        "    xs: list = dataclasses.field(default_factory=list)\nR0 = R()",
        "h = w + 1\nR0.xs.append(h)  # STORE",
    ),
}
"""What stands before the function, and its body."""

CLEAN: Final = {
    "plain": (
        "",
        "s = jnp.sin(w)",
    ),
    "local_list": (
        "",
        "parts = []\nparts.append(w * 2)\nw = parts[0]",
    ),
    "shape_kept": (
        "KEPT = []",
        "KEPT.append(w.shape)",
    ),
    "stop": (
        "",
        "w = jax.lax.stop_gradient(w)",
    ),
    "exc": (
        "",
        "try:\n    raise ValueError(w)\nexcept ValueError:\n    pass",
    ),
    "cycle": (
        "",
        "a = []\na.append(a)\na.append(w)",
    ),
    "closure": (
        "",
        "f = lambda: w * 2\nw = f()",
    ),
    "concrete": (
        "KEPT = []",
        "KEPT.append(jnp.ones(3).sum().shape)",
    ),
    "inner_jit": (
        "",
        "w = jax.jit(lambda v: v * 2)(w)",
    ),
    "custom": (
        "@jax.custom_vjp\ndef cv(x): return x * 2\n"
        "cv.defvjp(lambda x: (x * 2, x), lambda r, g: (g * r,))",
        "w = cv(w)",
    ),
}

CALLS: Final = {
    "grad": "jax.grad(loss)(jnp.ones(3))",
    "jit_grad": "jax.jit(jax.grad(loss))(jnp.ones(3))",
}


def program(before: str, body: str, call: str) -> str:
    """Returns the program of a cell."""
    inner = "\n".join(f"    {line}" for line in body.splitlines())
    return (
        f"import jax, jax.numpy as jnp\n{before}\ndef loss(w):\n{inner}\n"
        f"    return (w * w).sum()\n{call}\n"
    )
