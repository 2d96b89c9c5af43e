"""Proved or likely, and why: what a report says besides its line."""

from pathlib import Path
from textwrap import dedent

import pytest
from small_programs import HEADER, assert_reported, findings_of, only

from oakum_lint.app.analysis import analyse
from oakum_lint.domain.assumptions import Assumptions
from oakum_lint.text.finding import Confidence, Severity

SILENT = {
    "isinstance of Tracer": """
        @jax.jit
        def f(x):
            if isinstance(x, jax.core.Tracer):
                return x
            return float(x)
    """,
    "isinstance of a Python number": """
        @jax.jit
        def f(x):
            if isinstance(x, (int, float)):
                return float(x)
            return x
    """,
    "try with the tracer error": """
        @jax.jit
        def f(x):
            try:
                return float(x)
            except jax.errors.ConcretizationTypeError:
                return x
    """,
    "try with TypeError": """
        @jax.jit
        def f(x):
            try:
                return int(x)
            except TypeError:
                return x
    """,
    "is None": """
        @jax.jit
        def f(x, mask=None):
            if mask is None:
                return x
            return x * mask
    """,
    "shape and dtype": """
        @jax.jit
        def f(x):
            if x.ndim == 2 and x.shape[0] > 1 and x.dtype == jnp.float32:
                return jnp.zeros(x.shape)
            return x
    """,
    "branch that is never taken": """
        DEBUG = False

        @jax.jit
        def f(x):
            if DEBUG:
                print(float(x))
            return x
    """,
    "after a return": """
        @jax.jit
        def f(x):
            return x
            return float(x)
    """,
    "not traced": """
        def f(x):
            if x > 0:
                return float(x)
            return x

        f(jnp.ones(()))
    """,
}


@pytest.mark.parametrize("name", list(SILENT))
def test_code_that_guards_itself_is_not_reported(name: str) -> None:
    assert_reported(SILENT[name])


def test_a_certain_failure_is_proved() -> None:
    finding = only(findings_of("@jax.jit\ndef f(x):\n    return float(x)\n"))
    assert finding.confidence is Confidence.PROVED


def test_a_failure_behind_an_unknown_test_is_likely_and_names_the_test() -> None:
    """A user sees on what the failure hangs."""
    program = """
        import sys

        @jax.jit
        def f(x):
            if len(sys.argv) > 2:
                return float(x)
            return x
    """
    finding = only(findings_of(program))
    assert finding.confidence is Confidence.LIKELY
    assert "len(sys.argv) > 2" in finding.notes[-1]


def test_a_loop_that_may_not_run_does_not_make_a_failure_likely_only() -> None:
    """Both orders of a branch are on every run: nothing is guarded after the test."""
    program = """
        import sys

        @jax.jit
        def f(x):
            if len(sys.argv) > 2:
                x = x + 1
            return float(x)
    """
    assert only(findings_of(program)).confidence is Confidence.PROVED


def test_proved_wins_over_likely_at_one_place() -> None:
    program = """
        import sys

        def convert(x):
            return float(x)

        @jax.jit
        def f(x):
            if len(sys.argv) > 2:
                return convert(x)
            return x

        @jax.jit
        def g(x):
            return convert(x)
    """
    assert only(findings_of(program)).confidence is Confidence.PROVED


def test_a_report_names_the_transform_the_calls_and_the_origin() -> None:
    """A user can walk from the failing line to the decorator that made the value a tracer."""
    program = """
        def inner(value):
            return float(value)

        def outer(x):
            return inner(x + 1)

        @jax.jit
        def root(x):
            return outer(x)

        root(jnp.ones(()))
    """
    finding = only(findings_of(program))
    lines = (HEADER + dedent(program)).splitlines()
    told = [(lines[r.location.line - 1].strip(), r.message) for r in finding.related]
    assert told == [
        ("@jax.jit", "traced by jax.jit of `root`"),
        ("root(jnp.ones(()))", "`root` is called here"),
        ("return outer(x)", "`outer` is called here"),
        ("return inner(x + 1)", "`inner` is called here"),
        ("def root(x):", "`x` is a traced parameter of `root`"),
    ]


def test_an_origin_points_at_the_parameter_that_was_traced() -> None:
    finding = only(findings_of("@jax.jit\ndef f(weights):\n    return float(weights)\n"))
    origin = finding.related[-1]
    assert (origin.location.line, origin.location.column) == (7, 7)
    assert "weights" in origin.message


def test_a_helper_in_another_module_is_reported_where_it_stands() -> None:
    findings = assert_reported(
        """
        from helpers import convert

        @jax.jit
        def f(x):
            return convert(x)
        """,
        helpers="""
        def convert(x):
            return float(x)  #! OAK204
        """,
    )
    related = {place.location.file for place in only(findings).related}
    assert related == {"/small/main.py"}


def test_one_line_that_fails_from_two_roots_is_reported_once() -> None:
    program = """
        def convert(x):
            return float(x)

        jax.jit(lambda x: convert(x))(1.0)
        jax.vmap(lambda x: convert(x))(jnp.ones(3))
    """
    only(findings_of(program))


def test_a_finding_in_an_exception_handler_is_likely() -> None:
    """Nothing says that the handler runs: it must not fail a gate on proved findings."""
    finding = only(
        findings_of(
            """
        TABLE = {}

        @jax.jit
        def f(x):
            try:
                limit = TABLE["limit"]
            except KeyError:
                limit = 1 if x > 0 else 2
            return x * limit
        """
        )
    )
    assert finding.confidence is Confidence.LIKELY
    assert "except KeyError" in finding.notes[-1]


def test_what_a_transform_traces_in_a_method_of_a_framework_is_proved() -> None:
    """That the method itself is traced is only assumed; that `scan` traces its body is seen."""
    finding = only(
        findings_of("""
            import flax.linen as nn

            class Sampler(nn.Module):
                def __call__(self, logits):
                    def draw(kept, row):
                        if row.sum() > kept:
                            return kept, row
                        return kept, -row

                    return lax.scan(draw, 0.0, logits)
        """)
    )
    assert (finding.code, finding.confidence) == ("OAK201", Confidence.PROVED)


def test_a_name_makes_a_finding_likely_and_settings_say_which() -> None:
    """What a user calls a counter is evidence of what they mean, and they can say otherwise."""
    program = """
        seen_batches = probes = 0

        @jax.jit
        def step(x):
            global seen_batches, probes
            seen_batches += 1
            probes += 1
            return x

        step(jnp.ones(3))
    """

    def confidences(assumptions: Assumptions) -> list[Confidence]:
        text = {Path("/small/main.py"): HEADER + dedent(program)}
        reports = analyse(list(text), overlay=text, assumptions=assumptions)
        found = [finding for report in reports for finding in report.findings]
        assert [finding.code for finding in found] == ["OAK112", "OAK112"]
        for finding in found:
            is_meant = finding.confidence is Confidence.LIKELY
            assert finding.severity is (Severity.INFORMATION if is_meant else Severity.WARNING)
        return [finding.confidence for finding in found]

    assert confidences(Assumptions()) == [Confidence.LIKELY, Confidence.PROVED]
    declared = Assumptions(trace_counters=["*PROBE*"], call_counters=())
    assert confidences(declared) == [Confidence.PROVED, Confidence.LIKELY]


def test_a_compiled_function_is_proved_to_recompile_only_where_it_is_called() -> None:
    """A test in a comprehension stands before the call as one in a loop does."""
    found = assert_reported("""
        def fit(batches, is_full):
            for rate in range(3):
                step = jax.jit(lambda x: x + 1)  #! OAK307
                filled = [step(batch) for batch in batches if is_full(batch)]
            return filled

        def fit_all(batches):
            for rate in range(3):
                step = jax.jit(lambda x: x - 1)  #! OAK307
                filled = [step(batch) for batch in batches]
            return filled

        fit(jnp.ones((3, 2)), np.vectorize(bool))
        fit_all(jnp.ones((3, 2)))
    """)
    assert [finding.confidence for finding in found] == [Confidence.LIKELY, Confidence.PROVED]
    assert "`is_full(batch)`" in found[0].notes[-1]


def test_a_use_that_one_iteration_may_not_have_is_likely() -> None:
    """Of a key that two paths have used, one only in the iteration before, a reuse is no proof."""
    found = assert_reported("""
        def noise(key, rows, is_edge):
            total = 0.0
            for row in rows:
                if is_edge(row):
                    total += jax.random.normal(key)  #! OAK401
                total += jax.random.uniform(key)  #! OAK401
            return total

        noise(jax.random.key(0), unknown, unknown)
    """)
    assert [finding.confidence for finding in found] == [Confidence.LIKELY, Confidence.LIKELY]


@pytest.mark.parametrize(
    ("file", "comment"),
    [
        ("test_noise.py", ""),
        ("noise_test.py", ""),
        ("tests/noise.py", ""),
        ("bench_noise.py", ""),
        ("noise.py", "# Both get the same noise, so that they can be compared."),
        ("noise.py", "# We keep them paired by using\n# the same random number generator seed."),
    ],
)
def test_a_reuse_that_may_be_meant_is_likely(file: str, comment: str) -> None:
    """A test that compares two runs with the same numbers does not break somebody's CI."""
    draws = "first = jax.random.normal(key)\nsecond = jax.random.normal(key)\n"

    def confidence(file: str, comment: str) -> Confidence:
        path = Path("/small") / file
        text = f"{HEADER}key = jax.random.key(0)\n{comment}\n{draws}"
        (report,) = analyse([path], overlay={path: text})
        return only(list(report.findings)).confidence

    assert confidence(file, comment) is Confidence.LIKELY
    assert confidence("noise.py", "# Draws two numbers.") is Confidence.PROVED
    assert confidence("latest.py", "# The key is not split yet.") is Confidence.PROVED


def test_what_a_caller_passes_behind_an_unknown_test_is_likely_to_fail_through_a_trace() -> None:
    """The compiled function fails for that number only, which no run may ever pass."""
    program = """
        from functools import partial
        from somewhere import unknown

        @partial(jax.jit, static_argnums=(0, 1))
        def weights(kind, sides=0):
            if kind.lower() == "healpix":
                return rings(sides)
            return jnp.ones(3)

        @partial(jax.jit, static_argnums=0)
        def rings(sides):
            return jnp.ones(4 * sides - 1)  #! OAK501

        def backward(f, kind):
            return f * weights(kind)

        backward(jnp.ones(3), unknown)
    """
    finding = only(assert_reported(program))
    assert finding.confidence is Confidence.LIKELY
    assert finding.notes[-1] == 'this happens when `kind.lower() == "healpix"` allows it'
    certain = only(assert_reported(program.replace('kind.lower() == "healpix"', "True")))
    assert certain.confidence is Confidence.PROVED


def test_attributes_of_a_field_of_unknown_class_are_traced_at_most_where_arrays_are_asked() -> None:
    """The object that is loaded may be of a class with static fields, which the trace does not see;
    what is computed from such an attribute is no more certain, nor what one of two branches is.
    Where a number of Python is needed, it is meant to be one.
    """
    program = """
        from dataclasses import dataclass
        from functools import partial, wraps

        @partial(jax.tree_util.register_dataclass, data_fields=("joints",), meta_fields=())
        @dataclass
        class Robot:
            joints: object = None

            def freedoms(self):
                return sum(self.joints.model.freedoms[1:])

        def scoped(function):
            @wraps(function)
            def wrapper(*args, **kwargs):
                with jax.named_scope("dynamics"):
                    return function(*args, **kwargs)
            return wrapper

        @jax.jit
        @scoped
        def inertia(robot):
            if robot.freedoms() > 3:  #! OAK201
                return jnp.zeros(int(robot.joints.count))
            return jnp.zeros(robot.freedoms())

        inertia(robot=Robot(unknown()))
    """
    finding = only(assert_reported(program))
    assert finding.confidence is Confidence.LIKELY


def test_a_key_in_a_loop_that_stands_for_a_branch_is_likely_to_be_reused() -> None:
    """The flag that its body sets may end it after the first iteration, which draws once."""
    program = """
        def expand(is_chance, state, key):
            def condition(carry):
                return jnp.logical_and(is_chance, carry[-1])

            def body(_):
                return state + jax.random.normal(key), False  #! OAK401

            return jax.lax.while_loop(condition, body, (state, True))[0]

        expand(jnp.array(True), jnp.zeros(()), jax.random.key(0))
    """
    assert only(assert_reported(program)).confidence is Confidence.LIKELY
    going_on = program.replace(", False", ", carry[-1]").replace("body(_)", "body(carry)")
    assert only(assert_reported(going_on)).confidence is Confidence.PROVED


def test_what_one_of_several_classes_does_is_likely() -> None:
    """Which of the two is made goes with what is passed to its method."""
    program = """
        class Exact:
            def evaluate(self, sampler):
                return jax.jit(sampler)(jnp.ones(3))

        class Sampled:
            def evaluate(self, sampler):
                return sampler(jnp.ones(3))

        def sampler(x):
            return np.array(x)  #! OAK208

        problem = Exact() if unknown() else Sampled()
        problem.evaluate(sampler)
    """
    assert only(assert_reported(program)).confidence is Confidence.LIKELY
    exact = program.replace("Exact() if unknown() else Sampled()", "Exact()")
    assert only(assert_reported(exact)).confidence is Confidence.PROVED


@pytest.mark.parametrize(("leaves", "confidence"), [("tree", "likely"), ("[tree, tree]", "proved")])
def test_a_reduction_of_a_tree_of_one_leaf_calls_nothing(leaves: str, confidence: str) -> None:
    """A sum of `(total, leaf)` has its axis traced, but a norm of one array never gets there."""
    finding = only(
        findings_of(
            f"""
            import somewhere

            @jax.jit
            def norm(tree):
                return jax.tree.reduce(jnp.sum, {leaves})

            norm(somewhere.load())
            """
        )
    )
    assert (finding.code, finding.confidence) == ("OAK212", confidence)


@pytest.mark.parametrize(
    ("measured", "confidence"),
    [
        ("compile_time = time.time() - start", "likely"),
        ("taken = time.time() - start", "proved"),
        ("print('Compiled:', time.time() - start)", "proved"),
        ("print(f'time for jit {time.time() - start:.2f}')", "likely"),
        ("print(f'JIT time: {time.time() - start:.2f}')", "proved"),
    ],
)
def test_the_time_of_a_compilation_is_over_when_the_call_returns(
    measured: str, confidence: str
) -> None:
    """Programs time the first call on purpose, to show what compiling takes."""
    program = f"""
        import time
        step = jax.jit(lambda x: x @ x)
        start = time.time()
        step(jnp.ones((9, 9)))
        {measured}
        """
    finding = only(findings_of(program))
    assert (finding.code, finding.confidence) == ("OAK711", confidence)


@pytest.mark.parametrize(("operator", "confidence"), [("&", "likely"), ("|", "proved")])
def test_an_inverted_flag_beside_and_has_the_right_truth(operator: str, confidence: str) -> None:
    """`-1` keeps each bit and `-2` drops the lowest: with `|` every element is true."""
    program = f"""
        def mask(x, *, strict=False):
            return jnp.where((x > 0) {operator} ~strict, x, 0)

        mask(jnp.ones(3))
        """
    finding = only(findings_of(program))
    assert (finding.code, finding.confidence) == ("OAK219", confidence)


@pytest.mark.parametrize("ending", ["exit()", "sys.exit(0)", "if jnp.size(a) > 3:\n    quit()"])
def test_what_stands_behind_the_end_of_a_script_is_likely(ending: str) -> None:
    """Scripts of research end early while they are written; the rest is still shown."""
    program = f"import sys\na = jax.random.normal(key)\n{ending}\nb = jax.random.normal(key)\n"
    finding = only(findings_of("key = jax.random.key(0)\n" + program))
    assert finding.confidence == ("proved" if "if" in ending else "likely")
