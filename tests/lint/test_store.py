"""The store answers as if every path of a program had a copy of all variables of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from oakum_lint.domain.callables import Scope
from oakum_lint.domain.joins import join
from oakum_lint.domain.project import Module
from oakum_lint.domain.store import CONTENT, Key, Store
from oakum_lint.domain.values import Constant, HeapObject, Scalar, Value

OBJECTS = [HeapObject("instance", 0) for _ in range(3)]
KEYS: list[Key] = [(owner, name) for owner in OBJECTS[:2] for name in ("a", CONTENT)]


@dataclass(frozen=True)
class Write:
    key: Key
    value: Value


@dataclass(frozen=True)
class Branches:
    """Some paths, each run from here; `kept` of them end, the others raise or return elsewhere."""

    paths: tuple["tuple[Step, ...]", ...]
    kept: tuple[bool, ...]


Step = Write | Branches

WRITES = st.builds(Write, st.sampled_from(KEYS), st.integers(0, 3).map(Constant))


def branches(steps: st.SearchStrategy[Step]) -> st.SearchStrategy[Step]:
    path = st.lists(steps, max_size=4).map(tuple)
    return st.lists(st.tuples(path, st.booleans()), min_size=1, max_size=3).map(
        lambda paths: Branches(tuple(p for p, _ in paths), tuple(k for _, k in paths))
    )


PROGRAMS = st.lists(st.recursive(WRITES, branches, max_leaves=12), max_size=6)


class Runner:
    """Runs steps on a store, as the interpreter does: one path is current at a time."""

    def __init__(self) -> None:
        self.current = Store()

    def enter(self, store: Store) -> None:
        store.enter()
        self.current = store

    def run(self, step: Step) -> None:
        if isinstance(step, Write):
            self.current.set(step.key, step.value)
            return
        base = self.current
        written: list[dict[Key, Value]] = []
        for path, kept in zip(step.paths, step.kept, strict=True):
            self.enter(base.fork())
            for inner in path:
                self.run(inner)
            if kept:
                written.append(dict(self.current.since(base)))
            self.enter(base)
        base.merge(written)


def run_model(state: dict[Key, Value], step: Step) -> dict[Key, Value]:
    """The same on copies of a dict."""
    if isinstance(step, Write):
        return {**state, step.key: step.value}
    ends: list[dict[Key, Value]] = []
    for path, kept in zip(step.paths, step.kept, strict=True):
        end = state
        for inner in path:
            end = run_model(end, inner)
        if kept:
            ends.append(end)
    if not ends:
        return state
    merged: dict[Key, Value] = {}
    for key in KEYS:
        values = [end[key] for end in ends if key in end]
        for value in values:
            merged[key] = join(merged[key], value) if key in merged else value
    return merged


def seen_by(store: Store) -> dict[Key, Value]:
    return {key: value for key in KEYS if (value := store.get(key)) is not None}


@given(PROGRAMS)
@settings(max_examples=100)
def test_paths_do_not_see_each_other_and_join_where_they_meet(program: list[Step]) -> None:
    """A variable holds after an `if` what either branch left in it, whatever is nested in them."""
    runner, model = Runner(), dict[Key, Value]()
    for step in program:
        runner.run(step)
        model = run_model(model, step)
        assert seen_by(runner.current) == model


@given(PROGRAMS)
def test_a_path_left_and_entered_again_is_as_it_was(program: list[Step]) -> None:
    """`break` and `return` leave a path in the middle; what it wrote must come back with it."""
    runner = Runner()
    root = runner.current
    root.set(KEYS[0], Constant("root"))
    path = root.fork()
    runner.enter(path)
    for step in program:
        runner.run(step)
    before = seen_by(path)
    sibling = root.fork()
    runner.enter(sibling)
    assert seen_by(sibling) == {KEYS[0]: Constant("root")}
    sibling.set(KEYS[1], Constant("sibling"))
    runner.enter(path)
    assert seen_by(path) == before


def test_what_a_path_wrote_is_told_from_what_it_saw() -> None:
    root = Store()
    root.set(KEYS[0], Constant(1))
    outer = root.fork()
    outer.enter()
    outer.set(KEYS[1], Constant(2))
    inner = outer.fork()
    inner.enter()
    inner.set(KEYS[0], Constant(3))
    assert inner.since(outer) == {KEYS[0]: Constant(3)}
    assert inner.since(root) == {KEYS[0]: Constant(3), KEYS[1]: Constant(2)}


def test_a_name_bound_in_one_branch_only_keeps_that_value() -> None:
    """It can be read only where that branch was taken."""
    root = Store()
    root.merge([{KEYS[0]: Constant(1)}, {}])
    assert root.get(KEYS[0]) == Constant(1)
    root.merge([{KEYS[0]: Constant(2)}, {}])
    assert root.get(KEYS[0]) == Scalar("int")


def test_no_path_ends_here() -> None:
    """Code after branches that all return changes nothing."""
    root = Store()
    root.set(KEYS[0], Constant(1))
    root.merge([])
    assert root.get(KEYS[0]) == Constant(1)


class Counted(dict[Key, Value]):
    """The writes of a path, which count how often they are looked at."""

    looks = 0

    def get(self, key: Key, default: Value | None = None, /) -> Value | None:  # type: ignore[override]
        Counted.looks += 1
        return super().get(key, default)


def test_names_defined_for_a_call_cost_nothing_of_what_the_call_has_written() -> None:
    """A function that makes instances of n classes is the first to ask for each of them: each is
    defined outside of it, and its own writes are not taken back for that.
    """
    root = Store()
    call = root.fork()
    call.enter()
    for number in range(100):
        call.set((OBJECTS[0], f"x{number}"), Constant(number))
    shown = call.now
    written = len(shown)
    root.enter()
    root.set(KEYS[1], Constant("defined"))
    assert len(shown) == written
    assert root.get((OBJECTS[0], "x0")) is None
    call.enter()
    assert call.get(KEYS[1]) == Constant("defined")
    assert call.get((OBJECTS[0], "x99")) == Constant(99)


class Walked(dict[Key, Value]):
    """Cells, which count how often one goes through all of them."""

    walks = 0

    def __iter__(self) -> Iterator[Key]:
        Walked.walks += 1
        return super().__iter__()


def test_the_names_of_a_class_are_known_without_a_look_at_all_cells() -> None:
    """Each group of the work asks for those of each class whose objects leave it: a project of n
    classes has n times as many cells.
    """
    root = Store()
    root.now = root.cells = Walked()
    cls = Scope("class", None, 0, cast("Module", None))
    root.set((cls, "method"), Constant(1))
    path = root.fork()
    path.enter()
    path.set((cls, "other"), Constant(2))
    assert path.names_of(cls) == {"method", "other"}
    root.enter()
    assert root.names_of(cls) == {"method"}
    assert Walked.walks == 0


def test_cells_of_many_paths_are_joined_by_the_paths_that_wrote_them() -> None:
    """The cases of a `match` bind names of their own: n cases with n names are not n * n looks."""
    root = Store()
    paths = [Counted({(OBJECTS[0], f"x{number}"): Constant(number)}) for number in range(50)]
    root.merge(paths)
    assert Counted.looks <= len(paths)
    assert root.get((OBJECTS[0], "x7")) == Constant(7)
