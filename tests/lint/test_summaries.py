"""A remembered call gives what a fresh one would: speed changes no report."""

from pathlib import Path

import pytest
from program_cases import PROGRAMS, read_programs
from small_programs import assert_reported, only

from oakum_lint.app.analysis import analyse
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.summaries.situations import Situation
from oakum_lint.python.objects import functions
from oakum_lint.text.finding import Confidence


def forgets(_machine: Machine, _situation: object, _seen: object) -> None:
    return None


def reports(files: list[Path]) -> list[tuple[object, str, str]]:
    return [
        (finding.location, finding.code, finding.confidence.value)
        for report in analyse(files)
        for finding in report.findings
    ]


PARTS = 16


@pytest.mark.sweep(PARTS)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("part", range(PARTS))
def test_findings_are_the_same_with_and_without_memory(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the labelled programs, many at once, in which helpers are called again and again."""
    files = [file for program in read_programs()[part::PARTS] for file in program.files]
    assert files, PROGRAMS
    remembered = reports(files)
    monkeypatch.setattr(functions, "recall", forgets)
    assert reports(files) == remembered


def count_recalls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each call from now on whether it is remembered."""
    recalled: list[bool] = []

    def counting(
        machine: Machine, situation: Situation | None, seen: FunctionValue | None
    ) -> object:
        found = recall(machine, situation, seen)
        recalled.append(found is not None)
        return found

    recall = functions.recall
    monkeypatch.setattr(functions, "recall", counting)
    return recalled


def test_a_call_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a helper of ten levels, each calling the next twice, takes a thousand calls."""
    recalled = count_recalls(monkeypatch)
    levels = "\n".join(f"def f{n}(x):\n    return f{n - 1}(x) + f{n - 1}(x)" for n in range(1, 11))
    assert_reported(f"def f0(x):\n    return x\n{levels}\njax.jit(f10)(jnp.ones(3))\n")
    assert any(recalled)
    assert len(recalled) < 60


def test_a_walk_over_what_nobody_knows_is_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each walk over the modules of a network runs three times in itself, as what it collects
    differs each time: a fifth of the work on Flax.
    """
    recalled = count_recalls(monkeypatch)
    assert_reported(
        """
        import elsewhere

        def walk(node, found):
            found.append(node.name)
            for child in node.children:
                walk(child, found)

        walk(elsewhere.network(), [])
        """
    )
    assert recalled == [False] * 3  # the walk, and that of a child in the first and in a later turn


def test_what_a_call_wrote_itself_before_it_was_read_does_not_distinguish_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else each caller that has left another value there pays for the whole call once more."""
    recalled = count_recalls(monkeypatch)
    assert_reported(
        """
        class State:
            n = 0

        state = State()

        def current():
            return state.n

        def reset(x):
            state.n = 3
            return current() + x

        @jax.jit
        def f(x):
            y = reset(x)
            state.n = 7
            return y + reset(x)

        f(1)
        """
    )
    assert recalled == [False, False, False, True]  # f, reset, current, reset


def test_a_write_is_repeated_by_a_remembered_call() -> None:
    assert_reported(
        """
        state = {"last": None}

        def keep(value):
            state["last"] = value

        keep(1)
        state["last"] = None
        keep(1)

        @jax.jit
        def f(x):
            if state["last"] is None:
                return x
            if x > 0:  #! OAK201
                return x
            return -x

        f(jnp.ones(()))
        """
    )


def test_a_call_is_not_remembered_across_changed_state() -> None:
    assert_reported(
        """
        class Options:
            pass

        options = Options()
        options.check = False

        def positive(x):
            if options.check:
                return bool(x > 0)  #! OAK204
            return True

        @jax.jit
        def f(x):
            positive(x)
            options.check = True
            return positive(x)
        """
    )


def test_functions_of_one_definition_share_what_a_call_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else each model that a factory makes is followed through all that the factory has defined."""
    recalled = count_recalls(monkeypatch)
    assert_reported(
        """
        def make(scale):
            def helper(x):
                return x * 2.0

            def energy(x):
                return helper(x) + 1.0

            return energy

        def total(energy, x):
            return energy(x)

        first, second = make(1.0), make(3.0)
        total(first, jnp.ones(3))
        total(second, jnp.ones(3))
        second(jnp.ones(3))
        """
    )
    # make, make; total, energy, helper; total; energy
    assert recalled == [False, False, False, False, False, True, True]


def test_functions_of_one_definition_that_see_other_values_are_followed_apart() -> None:
    assert_reported(
        """
        def make(scale, checks):
            def energy(x):
                if checks:
                    return x * scale if x > 0 else x  #! OAK201
                return x * scale

            return energy

        def total(energy, x):
            return energy(x)

        @jax.jit
        def f(x):
            return total(make(2.0, False), x) + total(make(2.0, True), x)
        """
    )


def test_a_remembered_call_writes_into_the_closure_that_it_is_called_with() -> None:
    assert_reported(
        """
        def make():
            last = None

            def keep(value):
                nonlocal last
                last = value

            def check(x):
                if last is None:
                    return x
                return x if x > 0 else -x  #! OAK201

            return keep, check

        keep_first, check_first = make()
        keep_second, check_second = make()
        keep_first(1)
        keep_second(1)

        @jax.jit
        def f(x):
            return check_second(x)
        """
    )


def test_a_remembered_call_returns_a_function_that_sees_its_own_arguments() -> None:
    assert_reported(
        """
        def make(checks):
            def inner(x):
                if checks:
                    return x if x > 0 else -x  #! OAK201
                return x

            def get():
                return inner

            return get

        def first(get):
            return get()

        @jax.jit
        def f(x):
            return first(make(False))(x) + first(make(True))(x)
        """
    )


def test_a_remembered_call_returns_a_function_with_its_own_defaults_and_attributes() -> None:
    assert_reported(
        """
        class Held:
            def __init__(self, v):
                self.v = v

        def make(held):
            def inner(x, checks=held):
                if checks.v:
                    return x if x > 0 else -x  #! OAK201
                return x

            inner.limit = held.v
            return inner

        @jax.jit
        def f(x):
            make(Held(x))
            first, second, third = make(Held(0)), make(Held(1)), make(Held(x))
            second(x)
            if first.limit > 0:
                return first(x)
            if third.limit > 0:  #! OAK201
                return x
            return first(x)
        """
    )


def test_two_calls_do_not_share_the_variables_that_their_functions_assign() -> None:
    """What is set through one of two objects that a factory has made would show in the other."""
    program = """
        def make(value):
            def assign(new):
                nonlocal value
                value = new

            def get():
                return value

            return assign, get

        def get_after(assign, get):
            assign(True)
            return get()

        assign_one, get_one = make(False)
        assign_other, get_other = make(False)
        get_after(assign_one, get_one)
        is_set = get_after(assign_one, get_other)

        @jax.jit
        def f(x):
            if is_set:
                return x if x > 0 else -x
            return x

        f(jnp.ones(()))
    """
    assert_reported(program)


def test_one_function_twice_is_not_two_of_one_definition() -> None:
    assert_reported(
        """
        def make(value):
            def set_it(new):
                nonlocal value
                value = new

            def get():
                return value

            return set_it, get

        def after(set_it, get):
            set_it(True)
            return get()

        set_a, get_a = make(False)
        set_b, get_b = make(0)
        same = after(set_a, get_a)
        other = after(set_a, get_b)

        @jax.jit
        def f(x):
            if other:
                return x if x > 0 else -x
            return x if x < 0 else -x  #! OAK201

        f(jnp.ones(()))
        """
    )


def test_two_calls_do_not_share_the_list_that_they_return() -> None:
    assert_reported(
        """
        def empty():
            return []

        outer = empty()

        @jax.jit
        def f(x):
            inner = empty()
            inner.append(x)
            outer.append(x)  #! OAK101
            return x
        """
    )


def test_two_calls_do_not_share_the_list_that_they_may_return() -> None:
    assert_reported(
        """
        several = len(jax.devices()) > 1

        def empty():
            if several:
                return []
            return None

        @jax.jit
        def f(x):
            first, second = empty(), empty()
            if first is not None:
                first.append(x)
            if second is not None:
                for item in second:
                    float(item)
            return x
        """
    )


def test_a_call_that_returns_one_of_several_objects_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a search through a tree that calls itself for each branch takes minutes: optax's
    `tree_get` took 230,000 steps in one notebook.
    """
    recalled = count_recalls(monkeypatch)
    assert_reported(
        """
        flag = input()

        def both(x):
            if flag:
                return [x]
            return {}

        @jax.jit
        def f(x):
            return both(x), both(x), both(x)

        f(jnp.ones(3))
        """
    )
    assert recalled.count(True) == 2


def test_what_a_remembered_call_may_return_is_its_own() -> None:
    """One of two new objects: a leak into that of the outer call is found, and there alone."""
    assert_reported(
        """
        several = len(jax.devices()) > 1

        def empty():
            if several:
                return []
            return {}

        outer = empty()

        @jax.jit
        def f(x):
            inner = empty()
            if isinstance(inner, list):
                inner.append(x)
            if isinstance(outer, list):
                outer.append(x)  #! OAK101
            return x
        """
    )


def test_a_helper_called_with_a_tracer_and_a_number_is_judged_for_each() -> None:
    assert_reported(
        """
        def sign(x):
            if x > 0:  #! OAK201
                return 1
            return -1

        print(sign(3))

        @jax.jit
        def f(x):
            return sign(x) * sign(3)
        """
    )


def test_a_helper_is_judged_in_the_trace_of_each_caller() -> None:
    """Under grad alone its branch is fine; under jit it is not."""
    assert_reported(
        """
        def relu(x):
            if x > 0:  #! OAK201
                return x
            return 0.0 * x

        jax.grad(relu)(1.0)
        jax.jit(relu)(1.0)
        """
    )


def test_what_is_probably_a_tracer_does_not_hide_what_certainly_is_one() -> None:
    """An attribute of a traced object may be static; the report is likely until one is proved."""
    findings = assert_reported(
        """
        def convert(value):
            return float(value)  #! OAK204

        @jax.jit
        def f(state):
            return convert(state.x)

        @jax.jit
        def g(x):
            return convert(x)
        """
    )
    assert only(findings).confidence is Confidence.PROVED


def test_a_method_is_remembered_for_another_object_that_holds_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else every layer of a model costs what the first one of its class does."""
    recalled = count_recalls(monkeypatch)
    assert_reported(
        """
        class Activation:
            def __init__(self, slope):
                self.slope = slope

            def __call__(self, x):
                return jnp.maximum(x, self.slope * x)

        first, second = Activation(0.1), Activation(0.1)

        @jax.jit
        def f(x):
            return second(first(x))

        f(jnp.ones(3))
        """
    )
    assert any(recalled)


def test_a_method_is_judged_for_each_object_by_what_that_holds() -> None:
    assert_reported(
        """
        class Options:
            def __init__(self, checks):
                self.checks = checks

        class Layer:
            def __init__(self, checks):
                self.options = Options(checks)

            def __call__(self, x):
                if self.options.checks:
                    return float(x)  #! OAK204
                return x

        silent, same, checking = Layer(False), Layer(False), Layer(True)

        @jax.jit
        def f(x):
            silent(x)
            same(x)
            return checking(x)
        """
    )


def test_a_remembered_method_writes_into_the_object_that_it_is_called_on() -> None:
    assert_reported(
        """
        class Counter:
            def __init__(self):
                self.last = 0

            def keep(self, value):
                self.last = value
                return self

        first, second = Counter(), Counter()
        kept = (first.keep(1), second.keep(1))

        @jax.jit
        def f(x):
            if second.last == 0 or kept[1].last == 0 or kept[1] is not second:
                return x
            return float(x)  #! OAK204
        """
    )


def test_a_call_with_one_object_twice_is_not_one_with_two_objects() -> None:
    assert_reported(
        """
        class Box:
            def __init__(self):
                self.value = 0

        def differ(left, right):
            left.value = 0
            right.value = 1
            return left.value == 0

        class Pair:
            def __init__(self, left, right):
                self.left = left
                self.right = right

            def differ(self):
                return differ(self.left, self.right)

        one, other = Box(), Box()

        @jax.jit
        def f(x):
            if differ(one, one) or Pair(one, one).differ():
                float(x)
            if differ(one, other):
                float(x)  #! OAK204
            if Pair(other, one).differ():
                int(x)  #! OAK204
            return x
        """
    )


def test_an_object_that_is_also_in_a_tuple_is_told_from_one_that_is_not() -> None:
    assert_reported(
        """
        class Box:
            pass

        def pick(box, boxes):
            box.on = False
            boxes[0].on = True
            return box.on

        one, other = Box(), Box()

        @jax.jit
        def f(x):
            if pick(other, (one,)):
                float(x)
            if pick(one, (one,)):
                float(x)  #! OAK204
            return x
        """
    )


def test_a_call_is_remembered_behind_one_that_it_did_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What made the last call another one is asked first, of the object that has its part now."""
    recalled = count_recalls(monkeypatch)
    assert_reported(
        """
        class Unit:
            def __init__(self, scale):
                self.scale = scale

        class Length:
            def __init__(self, unit):
                self.unit = unit

        def metres(length):
            return length.unit.scale

        unit = Unit(1)
        metres(Length(unit))
        unit.scale = 2
        metres(Length(unit))
        metres(Length(Unit(1)))
        metres(Length(Unit(2)))
        """
    )
    assert recalled[-4]
    assert recalled[-1]


def test_a_call_is_remembered_behind_many_of_recursions_that_are_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether a function recurses is read off the calls that run: when those have ended, what was
    remembered in them makes room.
    """
    recalled = count_recalls(monkeypatch)
    walks = "\n".join(f"Walker({n}).walk(tree)" for n in range(30))
    program = f"""
import elsewhere

class Tree:
    def __init__(self, n):
        self.n = n

class Walker:
    def __init__(self, n):
        self.n = n

    def walk(self, tree):
        return self.leaf(tree)

    def leaf(self, tree):
        if elsewhere.deeper:
            return self.walk(tree)
        return self.n + tree.n

tree = Tree(3)
{walks}
Walker(99).leaf(tree)
Walker(99).leaf(tree)
"""
    assert_reported(program)
    assert recalled[-1]
