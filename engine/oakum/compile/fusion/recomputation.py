"""Recomputation: what is cheaper to compute again than to keep in memory for a later group.

A group that reads all that a light operation takes computes it itself: it then reads less, and the
value needs no memory from the group that came first to the one that uses it. So `1 - y * y` of a
derivative is computed from `y` where it is used, and not stored beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from oakum.compile.fusion.groups import Group, Member, PartMember, Use, normal
from oakum.compile.loops.cost_model import LIGHT
from oakum.compile.loops.elements import Unaligned, shape_of
from oakum.primitives.rules.lowering import Elementwise
from oakum.tracing.ir import Var

if TYPE_CHECKING:
    from oakum.compile.fusion.fuse import Fusion

_SMALL = 64
"""Arrays of so few elements cost next to nothing to read."""


def recompute(fusion: Fusion) -> None:
    """Has groups compute what they would have read, where that is light work for all of them."""
    groups = [step for step in fusion.steps if isinstance(step, Group)]
    readers = _readers(groups)
    done: set[Var] = set()
    for group in groups:
        for member in list(group.members.values()):
            var = member.var
            if var not in readers or var in fusion.stored or not _is_light(member):
                continue
            others = list(readers[var].values())
            members = [_copied(fusion, other, member, done) for other in others]
            if None in members:
                continue
            done.add(var)
            # A copy is no member that others read: they have it themselves.
            del readers[var]
            for other, new in zip(others, members, strict=True):
                assert new is not None
                other.members = _inserted(other, new)
            if not any(use.var is var for each in _all(group) for use in each.uses):
                del group.members[var]
    fusion.steps = [s for s in fusion.steps if not isinstance(s, Group) or _all(s)]


def _readers(groups: Sequence[Group]) -> dict[Var, dict[int, Group]]:
    """The groups that read a variable of another one."""
    readers: dict[Var, dict[int, Group]] = {}
    for number, group in enumerate(groups):
        for each in _all(group):
            for use in each.uses:
                if use.var not in group.members:
                    readers.setdefault(use.var, {})[number] = group
    return readers


def _all(group: Group) -> list[Member | PartMember]:
    return [*group.members.values(), *group.parts]


def _is_light(member: Member) -> bool:
    lower = member.eqn.primitive.lower
    return member.form == "inner" and isinstance(lower, Elementwise) and lower.name in LIGHT


def _copied(fusion: Fusion, group: Group, member: Member, done: set[Var]) -> Member | None:
    """A member as one of another group that reads all that it takes; None where it does not."""
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


def _inserted(group: Group, new: Member) -> dict[Var, Member]:
    """The members of a group with one more, behind those that it takes."""
    members = dict(group.members)
    taken = {use.var for use in new.uses}
    last = max((n for n, var in enumerate(members) if var in taken), default=-1)
    items = list(members.items())
    return dict([*items[: last + 1], (new.var, new), *items[last + 1 :]])
