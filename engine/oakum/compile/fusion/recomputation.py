"""Recomputation of what is cheaper to compute twice than to keep in memory for a later group.

A group that already reads all operands of a light operation computes it itself: it reads less, and
the value needs no memory between the groups. So `1 - y * y` of a derivative is computed from `y`
where it is used, instead of being stored beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from oakum.compile.fusion.groups import Group, Member, PartMember, Use, is_light, normal
from oakum.compile.loops.elements import Unaligned, shape_of
from oakum.tracing.ir import Var

if TYPE_CHECKING:
    from oakum.compile.fusion.fuse import Fusion

_SMALL = 64
"""Arrays of up to so many elements (one to four cache lines) count as free to read."""


def recompute(fusion: Fusion) -> None:
    """Copies light operations into the groups that read them, if all of these have the operands."""
    groups = [step for step in fusion.steps if isinstance(step, Group)]
    readers = _readers(groups)
    done: set[Var] = set()
    for group in groups:
        for member in list(group.members.values()):
            var = member.var
            is_cheap = member.form == "inner" and is_light(member.eqn)
            if var not in readers or var in fusion.stored or not is_cheap:
                continue
            others = list(readers[var].values())
            members = [_copy(fusion, other, member, done) for other in others]
            if None in members:
                continue
            done.add(var)
            # A copy is read by no other group: each has its own.
            del readers[var]
            for other, new in zip(others, members, strict=True):
                assert new is not None
                other.members = _insert(other, new)
            if not any(use.var is var for each in _all(group) for use in each.uses):
                del group.members[var]
    fusion.steps = [s for s in fusion.steps if not isinstance(s, Group) or _all(s)]


def _readers(groups: Sequence[Group]) -> dict[Var, dict[int, Group]]:
    """Returns for each variable the other groups that read it."""
    readers: dict[Var, dict[int, Group]] = {}
    for number, group in enumerate(groups):
        for each in _all(group):
            for use in each.uses:
                if use.var not in group.members:
                    readers.setdefault(use.var, {})[number] = group
    return readers


def _all(group: Group) -> list[Member | PartMember]:
    return [*group.members.values(), *group.parts]


def _copy(fusion: Fusion, group: Group, member: Member, done: set[Var]) -> Member | None:
    """Returns a member as one of another group; None if that does not read all operands."""
    eqn, var = member.eqn, member.var
    here = normal(group.everywhere, group.shape)
    readers = _all(group)
    uses = [(use, each.stage) for each in readers for use in each.uses]
    if math.prod(shape_of(var.aval)) != group.size:
        return None
    if any(use.var is var and (use.whole or use.number != here) for use, _ in uses):
        return None
    try:
        taken = fusion.uses_again(member, group.everywhere, group.shape)
    except Unaligned:
        return None
    read = {use.var for use, _ in uses if use.number == here and not use.whole}
    for use in taken:
        if not _is_at_hand(use, read, here, group, done):
            return None
    if not group.accepts(taken):
        return None
    stage = group.stage_of(taken, "inner")
    if stage > min(at for use, at in uses if use.var is var):
        return None
    order = list(group.members.values())
    first = next((n for n, m in enumerate(order) if any(u.var is var for u in m.uses)), len(order))
    if any(use.var is m.var for m in order[first:] for use in taken):
        return None
    return Member(eqn, "inner", stage, group.everywhere, taken)


def _is_at_hand(use: Use, read: set[Var], here: object, group: Group, done: set[Var]) -> bool:
    if use.whole:
        return False
    if use.var in group.members or (use.number == here and use.var in read):
        return True
    return math.prod(shape_of(use.var.aval)) <= _SMALL and use.var not in done


def _insert(group: Group, new: Member) -> dict[Var, Member]:
    """Returns a group's members with one more, behind those that it reads."""
    members = dict(group.members)
    taken = {use.var for use in new.uses}
    last = max((n for n, var in enumerate(members) if var in taken), default=-1)
    items = list(members.items())
    return dict([*items[: last + 1], (new.var, new), *items[last + 1 :]])
