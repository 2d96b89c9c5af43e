"""The site of a finding: its node in the syntax tree, the text around it, and edits of that text.

Invariant: a site is only made for a range that is exactly that of one node.
"""

from bisect import bisect_right
from itertools import takewhile

from oakum.values.records import dataclass
from oakum_lint.fixes.tree import blocks, way_to
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.text.edits import Edit
from oakum_lint.text.expressions import ENDS_OPERAND
from oakum_lint.text.finding import Location
from oakum_lint.text.lines import LINE_END


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a module: the nodes from the unit's statement down to the flagged one."""

    module: ModuleFacts
    unit: UnitFacts
    way: tuple[nodes.Node, ...]

    # --- nodes --------------------------------------------------------------------------------

    @property
    def node(self) -> nodes.Node:
        """The node that was flagged; of several with the same range the innermost."""
        return self.way[-1]

    @property
    def parent(self) -> nodes.Node | None:
        """The node around the flagged one."""
        return self.way[-2] if len(self.way) > 1 else None

    @property
    def statement(self) -> nodes.Statement:
        """The innermost statement that the flagged node is in, or is."""
        return next(node for node in reversed(self.way) if isinstance(node, nodes.Statement))

    def behind(self, statement: nodes.Node) -> tuple[nodes.Statement, ...]:
        """The statements behind one of the statements around the site, in its block."""
        block = self._block(statement)
        return block[block.index(statement) + 1 :] if block else ()

    def at_statement(self) -> "Site":
        """The site of the statement that the flagged node is in."""
        return Site(self.module, self.unit, self.way[: self.way.index(self.statement) + 1])

    def sites_beside(self) -> "list[Site]":
        """The statements of the block of this one, at the top of a file those of all units."""
        if len(self.way) == 1:
            return [Site(self.module, unit, (s,)) for unit in self.module.units for s in unit.body]
        block, around = self._block(self.statement), self.way[:-1]
        return [Site(self.module, self.unit, (*around, statement)) for statement in block]

    def sites_before(self) -> "list[Site]":
        """The statements before this one in its block, at the top of a file those of all units."""
        beside = iter(self.sites_beside())
        return [*takewhile(lambda site: site.statement is not self.statement, beside)]

    def before(self, statement: nodes.Node) -> tuple[nodes.Statement, ...]:
        """The statements before one of those around the site, in its block."""
        block = self._block(statement)
        return block[: block.index(statement)] if block else ()

    def _block(self, statement: nodes.Node) -> tuple[nodes.Statement, ...]:
        position = self.way.index(statement)
        if position == 0:
            return self.unit.body
        return next((b for b in blocks(self.way[position - 1]) if statement in b), ())

    def is_elif(self, node: nodes.Node) -> bool:
        """Whether a node is an `elif` clause of the `if` statement around it."""
        return isinstance(node, nodes.If) and self.unit.text.startswith("elif", node.start)

    @property
    def functions(self) -> tuple[nodes.FunctionDefinition | nodes.Lambda, ...]:
        """The functions around the flagged node, the innermost first. A chain of `elif` nests: the
        way to its n-th finding is not walked again from its beginning.
        """
        known = self.unit.functions_around
        functions: tuple[nodes.FunctionDefinition | nodes.Lambda, ...] = ()
        around: nodes.Node | None = None
        unseen: list[nodes.Node] = []
        for node in reversed(self.way):
            found = known.get(id(node))
            if found is not None:
                functions, around = found, node
                break
            unseen.append(node)
        for node in reversed(unseen):
            if isinstance(around, nodes.FunctionDefinition) and node in around.decorators:
                # It is computed where the function is made.
                functions = functions[1:]
            if isinstance(node, nodes.FunctionDefinition | nodes.Lambda):
                functions = (node, *functions)
            known[id(node)] = functions
            around = node
        return functions

    # --- text ---------------------------------------------------------------------------------

    @property
    def whole_text(self) -> str:
        """The text of the file."""
        return self.module.source.text

    def text(self, node: nodes.Node) -> str:
        """The text of a node, without parentheses around it."""
        return self.unit.text[node.start : node.end]

    def with_parentheses(self, node: nodes.Node) -> tuple[int, int]:
        """The range of an expression with the pair of parentheses around it, if it has one that is
        not a call's.
        """
        text = self.unit.text
        before = text[: node.start].rstrip()
        after = node.end + len(text[node.end :]) - len(text[node.end :].lstrip())
        is_pair = before.endswith("(") and text[after : after + 1] == ")"
        if is_pair and not ENDS_OPERAND.search(before[:-1].rstrip()):
            return len(before) - 1, after + 1
        return node.start, node.end

    @property
    def line_end(self) -> str:
        """How lines end at the statement."""
        found = LINE_END.search(self.whole_text, self.unit.base + self.statement.start)
        return "\n" if found is None else found[0]

    def indent(self, statement: nodes.Node) -> str | None:
        """The blanks before a statement; None if something else stands before it on its line."""
        text = self.unit.text
        start = line_start(text, statement.start)
        before = text[start : statement.start]
        return before if not before.strip(" \t\f") else None

    def ends_line(self, statement: nodes.Node) -> bool:
        """Whether nothing but a comment follows a statement on its line."""
        rest = self.unit.text[statement.end : line_stop(self.unit.text, statement.end)]
        return rest.lstrip(" \t\f")[:1] in ("", "#")

    def ends_bare(self, position: int) -> bool:
        """Whether nothing follows a position on its line, not even a comment."""
        return not self.unit.text[position : line_stop(self.unit.text, position)].strip()

    def is_alone(self, statement: nodes.Node) -> bool:
        """Whether a statement has its lines to itself."""
        return self.indent(statement) is not None and self.ends_line(statement)

    # --- edits --------------------------------------------------------------------------------

    def replace(self, node: nodes.Node, text: str) -> Edit:
        """Puts a text in the place of a node of this unit."""
        return self.replace_range(node.start, node.end, text)

    def replace_range(self, start: int, end: int, text: str) -> Edit:
        """Puts a text in the place of a range of this unit."""
        return Edit(self.unit.base + start, self.unit.base + end, text)

    def removal(self, statement: nodes.Node) -> Edit:
        """Takes a statement out that has its lines to itself; a comment behind it stays."""
        text = self.unit.text
        stop = line_stop(text, statement.end)
        rest = text[statement.end : stop]
        if rest.strip():
            behind = statement.end + len(rest) - len(rest.lstrip())
            return self.replace_range(statement.start, behind, "")
        end = stop + len(self.line_end) if stop < len(text) else stop
        return self.replace_range(line_start(text, statement.start), end, "")

    def line_before(self, statement: nodes.Node, text: str) -> Edit:
        """Inserts a line before a statement, with the same indentation, or a statement on its line
        where something else begins that: `def f(x): return x`.
        """
        indent = self.indent(statement)
        if indent is None:
            return self.replace_range(statement.start, statement.start, f"{text}; ")
        start = line_start(self.unit.text, statement.start)
        return self.replace_range(start, start, f"{indent}{text}{self.line_end}")


def find_definition(module: ModuleFacts, name: str) -> Site | None:
    """The site of the class or function that a module defines under a name at its top."""
    for unit in module.units:
        if unit.kind == "definition" and unit.binds == frozenset({name}):
            for statement in unit.body:
                if isinstance(statement, nodes.ClassDefinition | nodes.FunctionDefinition):
                    return Site(module, unit, (statement,))
    return None


def line_start(text: str, position: int) -> int:
    """Where the line of a position begins."""
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def line_stop(text: str, position: int) -> int:
    """Where the line of a position ends, before its line end."""
    found = LINE_END.search(text, position)
    return len(text) if found is None else found.start()


def find_site(module: ModuleFacts, location: Location) -> Site | None:
    """The site of a location, or None where no node has exactly its range."""
    start = module.source.offset(location.line, location.column)
    end = module.source.offset(location.end_line, location.end_column)
    units = module.units
    index = bisect_right(units, start, key=lambda unit: unit.base) - 1
    if index < 0:
        return None
    unit = units[index]
    way = way_to(unit.body, start - unit.base, end - unit.base, unit.last_way)
    unit.last_way = way
    if not way or (way[-1].start, way[-1].end) != (start - unit.base, end - unit.base):
        return None
    return Site(module, unit, way)
