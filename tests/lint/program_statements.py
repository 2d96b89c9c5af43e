"""Random statements of a function body: assignments, uses that may fail, branches, loops, leaks."""

from typing import Final

from program_blocks import write_forwarding, write_generator, write_match, write_try
from program_constructs import write_closure, write_stepped
from program_lines import Writer
from program_misfits import MISFITS
from program_scope import Scope
from program_uses import CONDITIONS, DEFAULTS, EFFECTS, LEAKS, USES

ASSIGNED: Final = (
    "scalar",
    "scalar",
    "vector",
    "vector",
    "integer",
    "flag",
    "mask",
    "rows",
    "matrix",
)
ASSIGNED_ALSO: Final = ("table", "pair", "state", "size", "word")


class Body:
    """Writes the statements of one function."""

    def __init__(self, writer: Writer, scope: Scope) -> None:
        self.writer = writer
        self.scope = scope

    def statements(self, count: int, nesting: int = 0) -> None:
        """Writes some statements."""
        for _ in range(count):
            self.statement(nesting)

    def statement(self, nesting: int) -> None:
        """Writes one statement, or a small group."""
        choice = self.scope.below(100)
        if choice < 32:
            self.assign()
        elif choice < 49:
            self.use()
        elif choice < 52:
            self.assign_text("other", self.scope.fill(self.scope.pick(MISFITS), 1))
        elif choice < 57:
            # A place of its own: what is stored over before the trace ends does not leak.
            text = self.scope.pick(LEAKS).replace("@", self.writer.name("KEPT"))
            self.write(text, "pass")
        elif choice < 61:
            self.write(self.scope.pick(EFFECTS))
        elif choice < 66:
            self.change()
        elif choice < 69:
            self.unpack()
        elif nesting < 2:
            self.compound(choice - 69, nesting)
        else:
            self.assign()

    def write(self, template: str, replacement: str | None = None, depth: int = 2) -> None:
        """Writes a line with its parts filled."""
        self.writer.write(self.scope.fill(template, depth), replacement)

    def assign(self) -> None:
        """A new variable, or a new value of one."""
        kind = self.scope.pick(ASSIGNED if self.scope.chance(75) else ASSIGNED_ALSO)
        self.assign_text(kind, self.scope.expression(kind, 3))

    def use(self) -> None:
        """An expression that may fail, its result kept."""
        kind = self.scope.pick(tuple(USES))
        self.assign_text(kind, self.scope.fill(self.scope.pick(USES[kind]), 1))

    def assign_text(self, kind: str, text: str) -> None:
        """Keeps the value of an expression in a variable."""
        names = self.scope.names(kind)
        name = self.scope.pick(names) if names and self.scope.chance(35) else None
        if name is None or not name.isidentifier():
            name = self.writer.name(kind[0])
        self.writer.write(f"{name} = {text}", f"{name} = {DEFAULTS[kind]}")
        if kind != "other":
            self.scope.variables[name] = kind

    def change(self) -> None:
        """Changes what a variable holds."""
        kind = self.scope.pick(("scalar", "vector", "rows", "table"))
        names = [name for name in self.scope.names(kind) if name.isidentifier()]
        if not names:
            return self.assign()
        name = self.scope.pick(names)
        match kind:
            case "rows":
                self.write(f"{name}[<size> - 1] = <scalar>", "pass")
            case "table":
                self.write(f'{name}["b"] = <scalar>', "pass")
            case "vector" if self.scope.chance(30):
                self.write(f"{name}[<integer>] = <scalar>", "pass")
            case "vector" if self.scope.chance(20):
                self.write(f"{name}[<mask>] *= 2.0", "pass")
            case _:
                operator = self.scope.pick(("+=", "*=", "-="))
                self.write(f"{name} {operator} <scalar>", "pass")
        return None

    def unpack(self) -> None:
        """Takes a pair or a state apart, or a list."""
        first, second = self.writer.name("v"), self.writer.name("s")
        kind = self.scope.pick(("pair", "state", "rows", "vector"))
        value = self.scope.expression(kind, 2)
        if kind in ("pair", "state"):
            target = f"{first}, {second}"
            self.writer.write(f"{target} = {value}", f"{target} = jnp.ones(3), 0.5")
            self.scope.variables |= {first: "vector", second: "scalar"}
        elif self.scope.chance(50):
            third = self.writer.name("s")
            target = f"{second}, _, {third}"
            self.writer.write(f"{target} = {value}", f"{target} = 1.0, 2.0, 3.0")
            self.scope.variables |= {second: "scalar", third: "scalar"}
        else:
            target = f"{second}, *_"
            self.writer.write(f"{target} = {value}", f"{target} = 1.0, 2.0, 3.0")
            self.scope.variables[second] = "scalar"

    def compound(self, choice: int, nesting: int) -> None:
        """A branch, a loop, a block or a function of its own."""
        if choice < 5:
            self.branch("if <test>:", "if True:", nesting)
        elif choice < 9:
            self.branch(self.scope.pick(CONDITIONS), "if True:", nesting)
        elif choice < 11:
            self.loop(nesting)
        elif choice < 14:
            self.sequence_loop(nesting)
        elif choice < 16:
            self.repeat(nesting)
        elif choice < 17:
            self.writer.write("with jax.named_scope('part'):")
            self.block(2, nesting)
        elif choice < 19:
            self.collect()
        elif choice < 23:
            self.local_function(nesting)
        elif choice < 25:
            write_closure(self.writer, self.scope)
        elif choice < 27:
            write_stepped(self.writer, self.scope)
        else:
            self.of_python(nesting)

    def of_python(self, nesting: int) -> None:
        """A block of a kind that JAX has nothing of."""

        def inner(scope: Scope, name: str, kind: str) -> None:
            outer, self.scope = self.scope, scope
            self.assigned_block(1, nesting, name, kind, 1)
            self.scope = outer

        match self.scope.below(5):
            case 0 | 1:
                write_match(self.writer, self.scope, inner)
            case 2:
                write_try(self.writer, self.scope, inner)
            case 3:
                write_generator(self.writer, self.scope)
            case _:
                write_forwarding(self.writer, self.scope)

    def repeat(self, nesting: int) -> None:
        """A `while` loop."""
        name = self.writer.name("s")
        self.writer.write(f"{name} = {self.scope.expression('scalar', 1)}", f"{name} = 1.0")
        self.writer.write(f"while {name} > 1.0:", "while False:")
        self.block(1, nesting, (f"{name} = {name} * 0.0", f"{name} = 0.0"))
        self.scope.variables[name] = "scalar"

    def block(self, count: int, nesting: int, last: tuple[str, str] | None = None) -> None:
        """Statements of their own, whose new variables end with them; the last can be replaced."""
        outer = self.scope
        self.scope = Scope(outer.below, outer)
        self.writer.depth += 1
        self.statements(1 + self.scope.below(count), nesting + 1)
        if last:
            self.writer.write(*last)
        self.writer.depth -= 1
        self.scope = outer

    def branch(self, head: str, replacement: str, nesting: int) -> None:
        """An `if`, and perhaps its `elif` and `else`; a variable that all of them assign."""
        kind = self.scope.pick(("scalar", "vector"))
        name = self.writer.name(kind[0])
        self.writer.write(f"{name} = {self.scope.expression(kind, 1)}", f"{name} = 1.0")
        self.scope.variables[name] = kind
        self.write(head, replacement, 1)
        self.assigned_block(2, nesting, name, kind, 2)
        if self.scope.chance(15):
            self.write("elif <flag>:", "elif True:", 1)
            self.assigned_block(1, nesting, name, kind, 1)
        if self.scope.chance(40):
            self.writer.write("else:")
            self.assigned_block(1, nesting, name, kind, 1)

    def assigned_block(self, count: int, nesting: int, name: str, kind: str, depth: int) -> None:
        """Statements, and after them a new value of a variable."""
        value = self.scope.expression(kind, depth)
        self.block(count, nesting, (f"{name} = {value}", f"{name} = {DEFAULTS[kind]}"))

    def loop(self, nesting: int) -> None:
        """A loop over a range, of a size or of what may be traced."""
        index = self.writer.name("i")
        if self.scope.chance(40):
            self.write(f"for {index} in range(<integer>):", f"for {index} in range(2):", 1)
        else:
            self.write(f"for {index} in range(<size>):", f"for {index} in range(2):", 1)
        self.block(2, nesting)

    def sequence_loop(self, nesting: int) -> None:
        """A loop over the items of a container."""
        item, other = self.writer.name("u"), self.writer.name("k")
        outer = self.scope
        self.scope = Scope(outer.below, outer)
        heads = {
            f"for {item} in <rows>:": f"for {item} in [1.0, 2.0]:",
            f"for {item} in <vector>:": f"for {item} in [1.0, 2.0]:",
            f"for {other}, {item} in enumerate(<rows>):": f"for {other}, {item} in [(0, 1.0)]:",
            f"for {item}, {other} in zip(<rows>, <rows>):": f"for {item}, {other} in [(0.5, 1)]:",
            f"for {item} in (<scalar>, <scalar>):": f"for {item} in [1.0, 2.0]:",
            f"for {other}, {item} in {{'a': <scalar>}}.items():": f"for {other}, {item} in []:",
            f"for {item} in reversed(<rows>):": f"for {item} in [1.0, 2.0]:",
        }
        head = self.scope.pick(tuple(heads))
        self.write(head, heads[head], 1)
        self.scope.variables[item] = "scalar"
        self.block(2, nesting)
        self.scope = outer

    def collect(self) -> None:
        """A list that a loop fills."""
        name, item = self.writer.name("r"), self.writer.name("i")
        self.writer.write(f"{name} = []")
        self.writer.write(f"for {item} in range(3):")
        self.writer.depth += 1
        self.write(f"{name}.append(<scalar>)", f"{name}.append(0.5)")
        self.writer.depth -= 1
        self.scope.variables[name] = "rows"

    def local_function(self, nesting: int) -> None:
        """A function defined in the body, which sees its variables, and a use of it."""
        name, parameter, counter = (self.writer.name(stem) for stem in ("g", "p", "c"))
        keeps = self.scope.chance(25)
        if keeps:
            self.writer.write(f"{counter} = 0.0")
        self.writer.write(f"def {name}({parameter}):")
        outer = self.scope
        self.scope = Scope(outer.below, outer)
        self.scope.variables[parameter] = "scalar"
        for shared in [n for n in self.scope.variables if n not in (parameter,)]:
            # What the body assigns would be local to it: only reads see the outer variable.
            self.scope.variables[f"({shared})"] = self.scope.variables.pop(shared)
        self.writer.depth += 1
        if keeps:
            self.writer.write(f"nonlocal {counter}")
            self.write(f"{counter} = <scalar>", "pass")
        self.statements(self.scope.below(3), nesting + 1)
        self.write("return <scalar>", "return 1.0")
        self.writer.depth -= 1
        self.scope = outer
        target = self.writer.name("s")
        heads = (
            f"{name}(<scalar>)",
            f"jax.vmap({name})(<vector>).sum()",
            f"jax.grad({name})(<scalar>)",
            f"jax.jit({name})(<scalar>)",
            f"jax.lax.map({name}, <vector>).sum()",
            f"jax.checkpoint({name})(<scalar>)",
            f"jax.lax.fori_loop(0, 2, lambda i, c: {name}(c), <scalar>)",
            f"jax.lax.scan(lambda c, x: ({name}(c) + x, c), <scalar>, <vector>)[0]",
            f"jax.lax.cond(<flag>, {name}, lambda u: u, <scalar>)",
            f"sum([{name}(u) for u in <rows>])",
            f"jax.value_and_grad({name})(<scalar>)[0]",
            f"jax.jvp({name}, (<scalar>,), (1.0,))[0]",
        )
        text = self.scope.fill(self.scope.pick(heads), 1)
        self.writer.write(f"{target} = {text}", f"{target} = jnp.float32(1.5)")
        self.scope.variables[target] = "scalar"
