"""Random programs in the traced style: their functions, classes and calls."""

import random
from typing import Final

from program_lines import RandomProgram, Writer
from program_scope import Below, Scope, Signature
from program_statements import Body
from program_templates import STATIC, TRACEABLE
from program_uses import DEFAULTS

RESULTS: Final = ("scalar", "scalar", "vector", "vector", "pair", "table", "state", "flag")

FULL: Final = {
    "scalar": ("1.5", "jnp.float32(0.5)", "0.25", "jnp.array(2.0)"),
    "integer": ("1", "jnp.int32(2)", "jnp.array(0)"),
    "vector": ("jnp.ones(3)", "jnp.array([1.0, -2.0, 0.5])", "WEIGHTS", "OFFSETS"),
    "matrix": ("jnp.ones((3, 3))", "jnp.eye(3)"),
    "flag": ("True", "jnp.array(True)"),
    "rows": ("[1.0, 2.0, 0.5]", "[jnp.float32(1.0), 0.5, 2.0]"),
    "table": ('{"w": jnp.ones(3), "b": 0.5}', '{"w": OFFSETS, "b": jnp.float32(1.0)}'),
    "pair": ("(jnp.ones(3), 0.5)",),
    "state": ("State(jnp.ones(3), 0.5)", "State(OFFSETS, jnp.float32(1.0))"),
    "size": ("2", "SIZE", "3", "STEPS"),
    "word": ('"sum"', "MODE"),
    "config": ("CONFIG", "Config(2)"),
    "key": ("jax.random.key(0)",),
}
"""Arguments given at the top of the program."""

BATCHED: Final = {
    "scalar": "jnp.linspace(-1.0, 1.0, 4)",
    "integer": "jnp.array([0, 1, 2, 1])",
    "vector": "jnp.ones((4, 3))",
    "matrix": "jnp.ones((4, 3, 3))",
    "flag": "jnp.array([True, False, True, True])",
    "rows": "[jnp.ones(4), jnp.ones(4), jnp.ones(4)]",
    "table": '{"w": jnp.ones((4, 3)), "b": jnp.ones(4)}',
    "pair": "(jnp.ones((4, 3)), jnp.ones(4))",
    "state": "State(jnp.ones((4, 3)), jnp.ones(4))",
}
"""Arguments of mapped functions."""


class _Maker:
    """Writes one program."""

    def __init__(self, below: Below) -> None:
        self.writer = Writer()
        self.scope = Scope(below)
        self.methods: list[Signature] = []

    def program(self) -> RandomProgram:
        for _ in range(1 + self.scope.below(4)):
            self.definition()
        for signature in self.scope.functions:
            self.entry(signature)
        for _ in range(self.scope.below(3)):
            self.entry(self.scope.pick(self.scope.functions))
        return RandomProgram.under_head(self.writer.lines)

    def definition(self) -> None:
        if self.scope.chance(18):
            self.model()
        else:
            signature = self.signature(self.writer.name("f"))
            if self.scope.chance(30):
                self.decorate(signature)
            self.function(signature)
            self.scope.functions.append(signature)

    def signature(self, name: str) -> Signature:
        kinds = [self.scope.pick(TRACEABLE) for _ in range(1 + self.scope.below(3))]
        if self.scope.chance(35):
            kinds.append(self.scope.pick((*STATIC, "key")))
        parameters = tuple((f"{kind[:2]}_{place}", kind) for place, kind in enumerate(kinds))
        return Signature(name, parameters, self.scope.pick(RESULTS))

    def decorate(self, signature: Signature) -> None:
        static = [name for name, kind in signature.parameters if kind in STATIC]
        if not static or self.scope.chance(20):
            self.writer.write(self.scope.pick(("@jax.jit", "@jax.jit", "@jax.checkpoint")))
        else:
            names = "".join(f'"{name}", ' for name in static)
            self.writer.write(f"@partial(jax.jit, static_argnames=({names}))")

    def function(self, signature: Signature, receiver: dict[str, str] | None = None) -> None:
        names = [name for name, _ in signature.parameters]
        if receiver is not None:
            names.insert(0, "self")
        self.writer.write(f"def {signature.name}({', '.join(names)}):")
        self.writer.depth += 1
        inner = Scope(self.scope.below, self.scope)
        inner.variables = dict(signature.parameters) | (receiver or {})
        body = Body(self.writer, inner)
        body.statements(1 + self.scope.below(6))
        body.write(f"return <{signature.result}>", f"return {DEFAULTS[signature.result]}")
        self.writer.depth -= 1
        self.writer.write("")
        self.writer.write("")

    def model(self) -> None:
        """A class with methods, and an instance."""
        name, instance = self.writer.name("Model"), self.writer.name("model")
        self.writer.write(f"class {name}:")
        self.writer.depth += 1
        self.writer.write("def __init__(self, scale, steps):")
        self.writer.write("    self.scale = scale")
        self.writer.write("    self.steps = steps")
        self.writer.write("    self.last = None")
        self.writer.write("")
        receiver = {"self.scale": "scalar", "self.steps": "size"}
        method = self.signature(self.writer.name("m"))
        if self.scope.chance(25):
            static = [i + 1 for i, (_, kind) in enumerate(method.parameters) if kind in STATIC]
            numbers = "".join(f"{number}, " for number in (0, *static))
            self.writer.write(f"@partial(jax.jit, static_argnums=({numbers}))")
        self.function(method, receiver)
        self.writer.depth -= 1
        self.writer.write(f"{instance} = {name}(2.0, 2)")
        self.writer.write("")
        self.scope.functions.append(
            Signature(f"{instance}.{method.name}", method.parameters, method.result)
        )

    def entry(self, signature: Signature) -> None:
        """A call at the top of the program, mostly through a transform."""
        kinds = [kind for _, kind in signature.parameters]
        given = [self.scope.pick(FULL[kind]) for kind in kinds]
        static = [place for place, kind in enumerate(kinds) if kind in STATIC]
        name, arguments = signature.name, ", ".join(given)
        numbers = f", static_argnums={tuple(static)}" if static else ""
        floating = kinds[0] in ("scalar", "vector", "matrix", "rows", "table", "pair", "state")
        call = f"{name}({', '.join(['a', *given[1:]])})"
        within = f"{name}({', '.join(['c[1]', *given[1:]])})"
        free = f"lambda a: {call}"
        first = given[0]
        ways = [
            f"{name}({arguments})",
            f"jax.jit({name}{numbers})({arguments})",
            f"jax.jit({name}{numbers})({arguments})",
            f"jax.jit({name})({arguments})",
            f"jax.eval_shape({free}, {first})",
            f"jax.checkpoint({free})({first})",
            f"jax.jit({free})({first})",
            f"jax.jit(jax.checkpoint({free}))({first})",
            f"jax.make_jaxpr({free})({first})",
        ]
        if kinds[0] in BATCHED:
            batched = BATCHED[kinds[0]]
            axes = f", in_axes=({', '.join(['0', *['None'] * (len(kinds) - 1)])},)"
            if "word" not in kinds and "config" not in kinds:
                ways.append(f"jax.vmap({name}{axes})({', '.join([batched, *given[1:]])})")
            ways += [
                f"jax.vmap({free})({batched})",
                f"jax.jit(jax.vmap({free}))({batched})",
                f"jax.lax.map({free}, {batched})",
                f"jax.lax.scan(lambda c, a: (c, {call}), 0.0, {batched})",
            ]
        if floating and signature.result == "scalar":
            ways += [
                f"jax.grad({name})({arguments})",
                f"jax.value_and_grad({name})({arguments})",
                f"jax.grad({free})({first})",
                f"jax.jit(jax.grad({free}))({first})",
                f"jax.jacrev({free})({first})",
                f"jax.jit(jax.value_and_grad({free}))({first})",
            ]
        if floating and signature.result in ("scalar", "vector", "pair", "state", "table"):
            ways += [
                f"jax.vjp({free}, {first})[0]",
                f"jax.linearize({free}, {first})[0]",
                f"jax.jacfwd({free})(jax.tree.map(jnp.asarray, {first}))",
            ]
        if kinds[0] == signature.result and kinds[0] in ("scalar", "vector"):
            ways += [
                f"jax.lax.fori_loop(0, 2, lambda i, a: {call}, {first})",
                f"jax.lax.scan(lambda a, _: ({call}, None), {first}, None, length=2)",
                f"jax.lax.while_loop(lambda c: c[0] < 2, lambda c: (3, {within}), (0, {first}))",
                f"jax.lax.cond(jnp.array(True), {free}, lambda a: a, {first})",
                f"jax.lax.switch(1, [{free}, lambda a: a], {first})",
            ]
        if self.scope.chance(20):
            transformed = self.writer.name("t")
            self.writer.write(f"{transformed} = jax.jit({name}{numbers})")
            self.writer.write(f"{transformed}({arguments})")
            return
        self.writer.write(self.scope.pick(ways))


def make_program(seed: int) -> RandomProgram:
    """The program of a seed."""
    return _Maker(random.Random(seed).randrange).program()
