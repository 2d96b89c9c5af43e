"""Finds places in real code where a value is traced, by syntax alone.

A function is traced when it is decorated by a transform that stages, or given to one by its name,
or called by a traced function of its module. A site is an assignment of the result of a `jnp`
function of what such a function was given. It is behind a branch when a test decides whether it is
reached under tracing: in a block, behind a block that may leave the function, or in a function that
is called from such places only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from lint_mutation_syntax import (
    STAGING,
    Function,
    binds_key,
    holds_tracers,
    last_word,
    own_nodes,
    parameters,
    static_parameters,
    sure_nodes,
    transform,
)

PLACES = {"scan": (0,), "fori_loop": (2,), "while_loop": (0, 1), "cond": (1, 2), "switch": ()}
"""Where the functions stand among the arguments; first where it is not told."""

ARRAY_FUNCTIONS = frozenset(
    """abs add arctan2 argmax argmin clip concatenate convolve cos cosh cross cumsum diag diff
    divide dot einsum elu exp expand_dims floor gelu inner log log1p log_softmax logaddexp matmul
    max maximum mean min minimum mod moveaxis multiply outer power prod ravel relu reshape roll
    round sigmoid sign silu sin sinh softmax softplus sort sqrt square squeeze stack std subtract
    sum swapaxes take tan tanh tensordot tile transpose tril triu var where""".split()
)
RANDOM_FUNCTIONS = frozenset(
    "bernoulli beta categorical choice exponential gamma gumbel laplace normal permutation randint "
    "split truncated_normal uniform".split()
)


@dataclass(frozen=True, slots=True)
class Site:
    """A place behind an assignment in a traced function."""

    line: int
    """The last line of the assignment."""
    column: int
    name: str
    """The variable that was assigned."""
    call: str
    """The call whose result it is."""
    function: str
    direct: bool
    """Whether the function is given to a transform itself; it is called by such a one else."""
    conditional: bool
    """Whether the assignment is behind a branch."""


class Module:
    """The traced functions of a module, with those of their variables that hold tracers."""

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        self.scopes: dict[ast.AST, ast.AST] = {}
        """The function or module around each node."""
        self.defined: dict[tuple[ast.AST, str], Function | None] = {}
        """The functions of each scope by name; None where a name may be something else."""
        self._enter(self.tree)
        self.modules = self._imports()
        self.traced: dict[Function, set[str]] = {}
        self.direct: set[Function] = set()
        self._find_roots()
        self.reached = set(self.direct)
        """The traced functions that are called whatever tests say."""
        surely: dict[Function, set[Function]] = {}
        waiting = list(self.traced)
        while waiting:
            caller = waiting.pop()
            found, surely[caller] = self._find_called(caller)
            waiting += found
        pending = list(self.direct)
        while pending:
            more = surely.get(pending.pop(), set()) - self.reached
            self.reached |= more
            pending += more

    def _enter(self, scope: ast.AST) -> None:
        waiting = list(ast.iter_child_nodes(scope))
        while waiting:
            node = waiting.pop()
            self.scopes[node] = scope
            if isinstance(node, Function):
                key = scope, node.name
                self.defined[key] = None if key in self.defined else node
                self._enter(node)
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.defined[scope, node.id] = None
            waiting += ast.iter_child_nodes(node)

    def _find(self, name: str, node: ast.AST) -> Function | None:
        """The function that a name means at a node."""
        scope: ast.AST | None = self.scopes.get(node)
        while scope is not None:
            if (scope, name) in self.defined:
                return self.defined[scope, name]
            scope = self.scopes.get(scope)
        return None

    def _imports(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.name if alias.asname else alias.name.split(".")[0]
                    found[alias.asname or name] = name
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        return found

    def _find_roots(self) -> None:
        for node in ast.walk(self.tree):
            if isinstance(node, Function) and len(node.decorator_list) == 1:
                word, call = transform(node.decorator_list[0])
                if word and word != "cond":
                    self._trace(node, call)
            if not isinstance(node, ast.Call) or last_word(node.func) not in STAGING:
                continue
            for place in PLACES.get(last_word(node.func), (0,)):
                argument = node.args[place] if place < len(node.args) else None
                if isinstance(argument, ast.Name):
                    function = self._find(argument.id, node)
                    if function is not None and not function.decorator_list:
                        self._trace(function, node)

    def _trace(self, function: Function, call: ast.Call | None) -> None:
        static = static_parameters(call, function)
        if static is not None:
            self.traced[function] = parameters(function) - static
            self.direct.add(function)

    def _find_called(self, caller: Function) -> tuple[list[Function], set[Function]]:
        """The functions that a traced one gives tracers, those that are new, and those that it
        surely calls.
        """
        holding = self.holding(caller)
        sure = sure_nodes(caller)
        found: list[Function] = []
        surely: set[Function] = set()
        for node in own_nodes(caller):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            callee = self._find(node.func.id, node)
            if callee is None or callee.decorator_list:
                continue
            names = [each.arg for each in callee.args.args]
            given = [*zip(names, node.args, strict=False)]
            given += [(each.arg, each.value) for each in node.keywords if each.arg is not None]
            tracers = {name for name, value in given if holds_tracers(value, holding)}
            if tracers and node in sure:
                surely.add(callee)
            if tracers and callee not in self.traced:
                self.traced[callee] = tracers
                found.append(callee)
        return found, surely

    def holding(self, function: Function) -> set[str]:
        """The variables of a function that hold tracers, or containers of them, where they are
        assigned once.
        """
        holding = set(self.traced[function])
        assigned: set[str] = set()
        for node in own_nodes(function):
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            target = node.targets[0]
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            parts = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Name)
            holds = (
                holds_tracers(node.value, holding)
                if parts
                else self._is_array_call(node.value, holding)
            )
            for name in names:
                if isinstance(name, ast.Name):
                    if holds and name.id not in assigned:
                        holding.add(name.id)
                    assigned.add(name.id)
        return holding

    def _function_of(self, node: ast.expr) -> str:
        """The dotted name that a function stands for: `jax.numpy.sum`."""
        match node:
            case ast.Name(name):
                return self.modules.get(name, "")
            case ast.Attribute(value, attr):
                owner = self._function_of(value)
                return f"{owner}.{attr}" if owner else ""
            case _:
                return ""

    def _is_array_call(self, node: ast.expr, holding: set[str]) -> bool:
        if not isinstance(node, ast.Call):
            return False
        path, _, word = self._function_of(node.func).rpartition(".")
        return (
            path in ("jax.numpy", "jax.nn")
            and word in ARRAY_FUNCTIONS
            and (word != "where" or len(node.args) == 3)
            and any(holds_tracers(argument, holding) for argument in node.args)
        )

    def _is_random_call(self, node: ast.expr, holding: set[str]) -> bool:
        """Whether a key that was given is used up."""
        if not isinstance(node, ast.Call) or not node.args:
            return False
        path, _, word = self._function_of(node.func).rpartition(".")
        key = node.args[0]
        return (
            path == "jax.random"
            and word in RANDOM_FUNCTIONS
            and isinstance(key, ast.Name)
            and key.id in holding
        )

    def sites(self, *, random: bool) -> Iterator[Site]:
        """The assignments of results of `jnp` functions, or of `jax.random` functions."""
        for function in self.traced:
            holding = self.holding(function)
            sure = sure_nodes(function)
            for node in own_nodes(function):
                if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                    continue
                target = node.targets[0]
                if random:
                    is_site = self._is_random_call(node.value, holding)
                    is_site = is_site and not binds_key(node.value, target)
                else:
                    is_site = self._is_array_call(node.value, holding)
                    is_site = is_site and isinstance(target, ast.Name)
                if is_site and node.end_lineno is not None:
                    yield Site(
                        node.end_lineno,
                        node.col_offset,
                        target.id if isinstance(target, ast.Name) else "",
                        ast.unparse(node.value),
                        f"{function.name}:{function.lineno}",
                        function in self.direct,
                        function not in self.reached or node not in sure,
                    )
