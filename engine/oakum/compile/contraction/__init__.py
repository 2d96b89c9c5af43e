"""Native code for contractions: products of matrices of any layout, and convolutions."""

from __future__ import annotations

from oakum.compile.contraction.direct import emit_direct
from oakum.compile.contraction.packed import emit_packed, keeps_apart, scratch
from oakum.compile.contraction.packing import Producer
from oakum.compile.contraction.placing import Epilogue
from oakum.compile.contraction.planning import Form, plan, writer
from oakum.compile.contraction.problem import Contraction
from oakum.compile.emit import Function
from oakum.compile.target import Target


def emit(
    contraction: Contraction,
    target: Target,
    name: str,
    epilogue: Epilogue | None = None,
    load_lhs: Producer | None = None,
    load_rhs: Producer | None = None,
    extras: tuple[str, ...] = (),
    *,
    in_place: bool = False,
) -> list[Function]:
    produced = load_lhs is not None or load_rhs is not None
    made = plan(contraction, target, produced=produced)
    if made.form is Form.DIRECT:
        return emit_direct(made, target, name, epilogue, extras)
    producers = (load_rhs, load_lhs) if made.swapped else (load_lhs, load_rhs)
    return emit_packed(made, target, name, epilogue, producers, extras, in_place=in_place)


def scratch_bytes(contraction: Contraction, target: Target) -> int:
    """The scratch memory that one call of the code needs; threads need it each for itself."""
    made = plan(contraction, target)
    if made.form is not Form.PACKED:
        return 0
    return scratch(made, target, apart=keeps_apart(made, writer(made, None), in_place=False)).end


def units(contraction: Contraction, target: Target) -> int:
    """The units of work, of which one call does those from `begin` to `end`."""
    made = plan(contraction, target)
    return made.units * made.contraction.b
