"""What random programs begin with: imports, values of the module, classes and small functions."""

import ast
import functools
import re
from collections.abc import Iterator
from typing import Final

HEAD: Final = """\
import collections
import dataclasses
import functools
import itertools
import json
import logging
import math
import operator
import os
import statistics
import time
import warnings
from functools import partial, reduce
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

SCALE = 0.5
SIZE = 3
MODE = "mean"
DEBUG = False
STEPS = int(os.environ.get("STEPS", "3"))
WEIGHTS = np.array([0.5, 1.0, 2.0], np.float32)
OFFSETS = jnp.array([0.0, 1.0, -1.0])
LOG = []
CACHE = {}
SEEN = set()
QUEUE = collections.deque()


class State(NamedTuple):
    x: jax.Array
    t: float


@dataclasses.dataclass(frozen=True)
class Config:
    steps: int = 3
    mode: str = "sum"
    rate: float = 0.5


class Tracker:
    def __init__(self):
        self.items = []

    def keep(self, value):
        self.items += [value]


CONFIG = Config()
TRACKER = Tracker()


@functools.lru_cache(maxsize=None)
def cached_scale(value):
    return value * 2.0


def remember(value, kept=LOG):
    kept.append(value)


def print_nothing(value):
    return None


@jax.custom_jvp
def soft(value):
    return jnp.log1p(jnp.exp(value))


@soft.defjvp
def soft_jvp(primals, tangents):
    (value,), (tangent,) = primals, tangents
    return soft(value), jax.nn.sigmoid(value) * tangent


@jax.custom_vjp
def bent(value, scale):
    return value * scale


def bent_fwd(value, scale):
    return bent(value, scale), (value, scale)


def bent_bwd(kept, given):
    value, scale = kept
    return given * scale, given * value


bent.defvjp(bent_fwd, bent_bwd)


@partial(jax.jit, static_argnums=1)
def total_static(values, times):
    return jnp.sum(values) * times


@partial(jax.jit, static_argnames=("times",))
def scale_static(values, times):
    return values * times
"""

_NAME: Final = re.compile(r"[A-Za-z_]\w*")


def head(text: str) -> str:
    """The statements of the head whose names a text mentions, and those that they need."""
    wanted = {"jax", *_NAME.findall(text)}
    kept: list[str] = []
    for names, statement in reversed(_statements()):
        if not wanted.isdisjoint(names):
            wanted.update(_NAME.findall(statement))
            kept.append(statement)
    return "".join(reversed(kept))


@functools.cache
def _statements() -> tuple[tuple[frozenset[str], str], ...]:
    """The head's statements, each with the names that it is for and the empty lines behind it."""
    body = ast.parse(HEAD).body
    lines = HEAD.splitlines(keepends=True)
    firsts = [min([s.lineno, *(d.lineno for d in getattr(s, "decorator_list", ()))]) for s in body]
    ends = [*(first - 1 for first in firsts[1:]), len(lines)]
    return tuple(
        (frozenset(_bound(statement)), "".join(lines[first - 1 : end]))
        for statement, first, end in zip(body, firsts, ends, strict=True)
    )


def _bound(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.Import(names) | ast.ImportFrom(_, names):
            yield from (alias.asname or alias.name for alias in names)
        case ast.Assign([ast.Name(name)]):
            yield name
        case ast.FunctionDef(name, decorator_list=[ast.Attribute(ast.Name(owner), "defjvp")]):
            yield from (name, owner)
        case ast.ClassDef(name) | ast.FunctionDef(name):
            yield name
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(owner)))):
            yield owner
        case _:
            raise AssertionError(f"line {statement.lineno} of the head binds nothing")
