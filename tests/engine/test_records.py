"""Data classes behave as the standard library's: each case is made with both and compared."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from oakum.values import records

MAKERS = (records, dataclasses)


def make_point(maker: Any) -> Any:
    @maker.dataclass(frozen=True, slots=True, order=True)
    class Point:
        kind: ClassVar[str] = "point"
        x: int
        y: int = 2
        note: str = maker.field(default="", compare=False, repr=False)
        sizes: tuple[int, ...] = maker.field(default_factory=tuple)

    return Point


def make_place(maker: Any) -> Any:
    @maker.dataclass(frozen=True, slots=True)
    class Place(make_point(maker)):
        y: int = 5
        z: int = 3

        def __repr__(self) -> str:
            return f"at {self.z}"

    return Place


def make_group(maker: Any) -> Any:
    @maker.dataclass(slots=True)
    class Group:
        members: list[int]
        names: dict[str, int] = maker.field(default_factory=dict)
        size: int = maker.field(init=False)
        rank: int = maker.field(default=7, init=False)

        def __post_init__(self) -> None:
            self.size = len(self.members)

    return Group


def make_state(maker: Any) -> Any:
    @maker.dataclass(slots=True, eq=False)
    class State:
        value: Any = None

    return State


def make_open(maker: Any) -> Any:
    @maker.dataclass(frozen=True)
    class Open:
        value: int = 1

        def __eq__(self, other: object) -> bool:
            return True

    return Open


def make_empty(maker: Any) -> Any:
    @maker.dataclass(frozen=True, slots=True)
    class Empty:
        pass

    return Empty


def outcome(of: Callable[[], Any]) -> Any:
    try:
        return of()
    except (TypeError, AttributeError, ValueError) as error:
        return type(error)


POINTS: list[Callable[[Any], Any]] = [
    lambda c: [repr(c(1)), repr(c(1, 3, "n", sizes=(4,)))],
    lambda c: (c(), c(1, 2, 3, 4, 5), c(1, u=2)),
    lambda c: [c(1) == c(1), c(1) == c(1, note="n"), c(1) == c(2), c(1) == 1, c(1) != c(2)],
    lambda c: hash(c(1)) == hash(c(1, note="n")) != hash(c(2)),
    lambda c: sorted([c(2), c(1, 3), c(1)]) == [c(1), c(1, 3), c(2)],
    lambda c: c(1) < 3,
    lambda c: (c.__match_args__, c.kind, c.__qualname__, c.__name__, c.__module__),
    lambda c: setattr(c(1), "x", 2),
    lambda c: delattr(c(1), "x"),
    lambda c: [f.name for f in dataclasses.fields(c)],
    lambda c: dataclasses.asdict(c(1)),
    lambda c: (dataclasses.is_dataclass(c(1)), dataclasses.replace(c(1), x=9) == c(9)),
    lambda c: copy.deepcopy(c(1, note="n")).note + copy.copy(c(1, note="m")).note,
    lambda c: c(1).sizes,
]


@pytest.mark.parametrize("make", [make_point, make_place])
@pytest.mark.parametrize("of", POINTS)
def test_frozen_objects(make: Callable[[Any], Any], of: Callable[[Any], Any]) -> None:
    ours, theirs = (outcome(lambda m=maker: of(make(m))) for maker in MAKERS)
    assert ours == theirs


OTHERS: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    (make_group, lambda c: repr(c([1, 2], {"a": 1}))),
    (make_group, lambda c: c([1]).names is c([1]).names),
    (make_group, lambda c: c([1], size=3)),
    (make_group, lambda c: hash(c([1]))),
    (make_group, lambda c: c([1, 2]) == c([1, 2])),
    (make_group, lambda c: (c.__match_args__, c([1]).rank)),
    (make_group, lambda c: setattr(c([1]), "unknown", 1)),
    (make_state, lambda c: c(1) == c(1)),
    (make_state, lambda c: len({c(1), c(1)})),
    (make_open, lambda c: (c(1) == c(2), hash(c(3)) == hash(c(3)), c.value, vars(c()))),
    (make_empty, lambda c: (c() == c(), repr(c()), len({c(), c()}))),
]


@pytest.mark.parametrize(("make", "of"), OTHERS)
def test_other_objects(make: Callable[[Any], Any], of: Callable[[Any], Any]) -> None:
    ours, theirs = (outcome(lambda m=maker: of(make(m))) for maker in MAKERS)
    assert ours == theirs


@pytest.mark.parametrize("maker", MAKERS)
def test_an_object_within_itself_is_shown(maker: Any) -> None:
    state = make_state(maker)()
    state.value = state
    assert repr(state).endswith("State(value=...)")


@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_not_given_when_an_object_is_made_is_not_replaced(maker: Any) -> None:
    group = make_group(maker)([1, 2])
    assert maker.replace(group, members=[1]).size == 1
    with pytest.raises(ValueError, match="size"):
        maker.replace(group, size=1)


@records.dataclass(frozen=True, slots=True)
class Kept:
    """What pickles has to be found in a module."""

    first: int
    second: "Kept | None" = None


def test_frozen_objects_are_pickled() -> None:
    kept = Kept(1, Kept(2))
    assert pickle.loads(pickle.dumps(kept)) == kept
