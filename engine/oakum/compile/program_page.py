"""The page of a program: its steps as a graph, with their times, and what each of them computes.

One HTML text, which loads nothing and runs no script. The body of a loop or a branch has a section
of its own.

Invariants:
- The program is planned once more, with its history; nothing of the one that runs is changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from oakum.compile import report, step_equations
from oakum.compile.executable import prepare
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.loops.loop_text import print_nest
from oakum.compile.plan import buffer_assignment
from oakum.compile.plan.planner import Planner, Shared
from oakum.compile.plan.steps import ControlStep, NestStep, Plan, describe, read_by, written_by
from oakum.tracing.ir import Equation
from oakum.values.records import dataclass
from oakum.version import __version__

if TYPE_CHECKING:
    from oakum.compile.executable import Executable

_WIDTH: Final = 250
_HEIGHT: Final = 62
_GAP: Final = (30, 46)
"""Between nodes, and between layers."""

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8888; --soft: #8881; --node: #fff; --time: #e8a33d; }
@media (prefers-color-scheme: dark) { :root { --node: #222; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); font-size: 1.1rem; }
pre, code, svg text { font: 12.5px/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; background: var(--soft); padding: .6rem; }
svg { max-width: 100%; height: auto; }
svg text { fill: currentColor; } svg .faint { opacity: .65; font-size: 11px; }
svg rect.node { fill: var(--node); stroke: var(--line); } svg rect.time { fill: var(--time); }
svg path { fill: none; stroke: var(--line); } svg a { color: inherit; }
table { border-collapse: collapse; } td, th { padding: .1rem .7rem; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr { border-bottom: 1px solid var(--line); }
"""


@dataclass(frozen=True, slots=True)
class _Node:
    """A box of a graph: a step, or what the program takes or gives."""

    title: str
    operations: str = ""
    cost: str = ""
    share: float = 0.0
    """The part of the measured time that it takes."""
    target: str = ""
    """The name of the part of the page that shows it."""


@dataclass(frozen=True, slots=True)
class _Edge:
    """What one node leaves for another."""

    source: int
    target: int
    nbytes: int


def render(made: Executable) -> str:
    """Returns the page of a program."""
    name = escape(made.closed.jaxpr.name)
    body = [f"<h1>{name}</h1>"]
    if made.plan is None:
        body.append(f"<p>The program is interpreted: {escape(made.refusal)}</p>")
    else:
        sections: list[tuple[str, Plan]] = [("The program", _with_history(made))]
        for number, (title, plan) in enumerate(sections):
            body += _section(made, title, plan, f"p{number}")
            sections += _inner(plan)
        body += ["<h2>Simplified</h2>", _pre(report.text(made, "simplified"))]
    body += ["<h2>As it was traced</h2>", _pre(report.text(made, "jaxpr"))]
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="generator" content="oakum {__version__}">\n'
        f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>"
    )
    return "\n".join((head, "<body>", *body, "</body>", "</html>", ""))


def _with_history(made: Executable) -> Plan:
    """Returns the plan of a program, which says of each step what it computes."""
    shared = Shared(made.backend.lowering(), keeps_histories=True)
    plan = Planner(prepare(made.closed, made.backend.lowering()), shared).plan()
    return buffer_assignment.finish(plan, made.aliases)


def _inner(plan: Plan) -> Iterator[tuple[str, Plan]]:
    for number, step in enumerate(plan.steps):
        if isinstance(step, ControlStep):
            for each, program in enumerate(step.programs):
                yield f"{step.eqn.primitive.name} of step {number}: program {each}", program


def _section(made: Executable, title: str, plan: Plan, name: str) -> Iterator[str]:
    costs = report.measure(plan, made.backend)
    computed = step_equations.of(plan)
    whole = sum(cost.seconds or 0.0 for cost in costs)
    nodes = [_Node(f"argument {n}", cost=_bytes(b.nbytes)) for n, b in enumerate(plan.inputs)]
    for number, (cost, eqns) in enumerate(zip(costs, computed, strict=True)):
        time = "" if cost.seconds is None else f"{cost.seconds * 1e6:.1f} us, "
        share = (cost.seconds or 0.0) / whole if whole else 0.0
        details = f"{time}{_bytes(cost.nbytes)}"
        nodes.append(
            _Node(
                f"{number}: {cost.name}",
                step_equations.names(eqns),
                details,
                share,
                f"{name}-{number}",
            )
        )
    nodes += [_Node(f"result {n}", cost=_bytes(b.nbytes)) for n, b in enumerate(plan.outputs)]
    yield f"<h2>{escape(title)}</h2>"
    yield _drawing(nodes, _edges(plan))
    yield _pre(report.table(costs))
    for number, (step, eqns) in enumerate(zip(plan.steps, computed, strict=True)):
        yield f'<details id="{name}-{number}"><summary>Step {number}: {escape(describe(step))}'
        yield "</summary>"
        yield _pre("\n".join(map(_line, eqns)))
        if isinstance(step, NestStep):
            lowering = made.backend.lowering()
            yield _pre(f"{print_nest(step.nest)}\n# {lowering.describe(step)}")
        yield "</details>"


def _line(eqn: Equation) -> str:
    """Returns an equation, and the line of the user's program that it is of."""
    results = " ".join(f"{var.aval}" for var in eqn.outputs)
    return f"{eqn.primitive.name} -> {results}" + (f"  {eqn.source[0]}" if eqn.source else "")


# --- the drawing ------------------------------------------------------------------------------


def _edges(plan: Plan) -> list[_Edge]:
    """Returns what passes between arguments, steps and results, by the numbers of their nodes."""
    made_by: dict[Buffer, int] = {buffer: n for n, buffer in enumerate(plan.inputs)}
    made_by |= {plan.outputs[result]: taken for result, taken in plan.aliases.items()}
    first, found = len(plan.inputs), dict[_Edge, None]()
    for number, step in enumerate(plan.steps, first):
        for buffer in read_by(step):
            if buffer in made_by:
                found[_Edge(made_by[buffer], number, buffer.nbytes)] = None
        made_by.update(dict.fromkeys(written_by(step), number))
    for number, buffer in enumerate(plan.outputs, first + len(plan.steps)):
        if buffer in made_by:
            found[_Edge(made_by[buffer], number, buffer.nbytes)] = None
    return list(found)


def _drawing(nodes: Sequence[_Node], edges: Sequence[_Edge]) -> str:
    """Returns the graph as SVG, in layers: what a node needs stands above it."""
    places = _places(len(nodes), edges)
    width = max(x for x, _ in places) + _WIDTH + _GAP[0]
    height = max(y for _, y in places) + _HEIGHT + _GAP[0]
    out = [f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img">']
    for edge in edges:
        (x, y), (to_x, to_y) = places[edge.source], places[edge.target]
        x, to_x, y = x + _WIDTH / 2, to_x + _WIDTH / 2, y + _HEIGHT
        middle = (y + to_y) / 2
        thickness = 1 + min(len(str(edge.nbytes)), 9) / 3
        curve = f"M{x:.0f} {y} C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y}"
        title = f"<title>{_bytes(edge.nbytes)}</title>"
        out.append(f'<path d="{curve}" stroke-width="{thickness:.1f}">{title}</path>')
    for node, (x, y) in zip(nodes, places, strict=True):
        out.append(_box(node, x, y))
    return "\n".join((*out, "</svg>"))


def _box(node: _Node, x: float, y: int) -> str:
    parts = [f'<rect class="node" x="{x:.0f}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>']
    if node.share:
        length = node.share * (_WIDTH - 2)
        parts.append(f'<rect class="time" x="{x + 1:.0f}" y="{y + _HEIGHT - 5}" ')
        parts.append(f'width="{length:.0f}" height="4"/>')
    lines = ((node.title, ""), (node.operations, "faint"), (node.cost, "faint"))
    for number, (text, kind) in enumerate(lines):
        shown = text if len(text) <= 31 else f"{text[:30]}…"
        parts.append(f'<text class="{kind}" x="{x + 8:.0f}" y="{y + 17 + 18 * number}">')
        parts.append(f"{escape(shown)}<title>{escape(text)}</title></text>")
    box = "".join(parts)
    return f'<a href="#{node.target}">{box}</a>' if node.target else f"<g>{box}</g>"


def _places(count: int, edges: Sequence[_Edge]) -> list[tuple[float, int]]:
    """Returns where each node stands; the nodes come in an order in which each follows what it
    needs.
    """
    sources: list[list[int]] = [[] for _ in range(count)]
    for edge in edges:
        sources[edge.target].append(edge.source)
    layers: list[list[int]] = []
    layer_of: list[int] = []
    for number in range(count):
        layer = max((layer_of[source] + 1 for source in sources[number]), default=0)
        layer_of.append(layer)
        while len(layers) <= layer:
            layers.append([])
        layers[layer].append(number)
    width = max(map(len, layers)) * (_WIDTH + _GAP[0])
    places: list[tuple[float, int]] = [(0.0, 0)] * count
    for depth, layer in enumerate(layers):
        # Below what it needs, so that edges cross rarely.
        layer.sort(key=lambda n: sum(places[s][0] for s in sources[n]) / max(len(sources[n]), 1))
        left = (width - len(layer) * (_WIDTH + _GAP[0])) / 2 + _GAP[0] / 2
        for column, number in enumerate(layer):
            place = left + column * (_WIDTH + _GAP[0])
            places[number] = place, _GAP[0] // 2 + depth * (_HEIGHT + _GAP[1])
    return places


def _bytes(count: float) -> str:
    """Returns a number of bytes in words.

    >>> _bytes(12), _bytes(4096), _bytes(3.5 * 2**20)
    ('12 B', '4.0 KiB', '3.5 MiB')
    """
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def _pre(text: str) -> str:
    return f"<pre>{escape(text.rstrip())}</pre>"
