"""What rules say: the user's own names, what happens, and a hint in one sentence."""

import re
from typing import Any, get_args

import pytest

from oakum_lint.domain import events, run_events
from oakum_lint.domain.events import Event, Operand
from oakum_lint.rules import RULES
from oakum_lint.text.finding import Confidence, Finding, Location, Related, Severity

PLACE = Location("model.py", 7, 8, 7, 20)
ORIGIN = Related(Location("model.py", 4, 1, 4, 9), "traced by jit of `step`")


def event(
    cls: type[Event],
    /,
    source: str = "x",
    aval: str = "f32[8]",
    trace: str = "jit of `step`",
    confidence: Confidence = Confidence.PROVED,
    guard: str = "",
    **details: Any,
) -> Event:
    """An event as the interpreter would send it."""
    operand = Operand(source, aval)
    return cls(PLACE, operand, trace, confidence, guard, (ORIGIN,), False, **details)


def findings(subject: Event) -> list[Finding]:
    """What all rules that listen to an event make of it."""
    return [
        finding
        for rule in RULES
        if isinstance(subject, rule.listens)
        for finding in rule().check(subject)
    ]


BOOLEAN_USES = (
    *("and", "or", "not", "in", "not in", "chained comparison", "min", "max", "any", "all"),
    *("sorted", "filter", "bisect", "list.index", "list.count", "list.remove", "list.sort"),
    "heapq.heappush",
)
CONVERSIONS = (
    *("int", "float", "bool", "complex", "item", ".tolist()"),
    *("math.sqrt", "math.factorial", "math.ulp", "cmath.phase"),
)

SUBJECTS: list[tuple[str, Event]] = [
    *(("OAK201", event(events.Condition, kind=kind)) for kind in get_args(events.ConditionKind)),
    ("OAK202", event(events.LoopCondition)),
    *(("OAK203", event(events.BooleanUse, construct=use)) for use in BOOLEAN_USES),
    *(("OAK204", event(events.ScalarConversion, function=name)) for name in CONVERSIONS),
    *(
        ("OAK205", event(events.RangeUse, function=name))
        for name in ("range", "repetition of a sequence", "itertools.islice", "operator.index")
    ),
    *(
        ("OAK206", event(events.SequenceIndex, container="layers", kind=kind))
        for kind in get_args(events.SequenceKind)
    ),
    ("OAK207", event(events.NumpyIndex, container="table")),
    ("OAK208", event(events.NumpyCall, function="np.log", replacement="jnp.log")),
    ("OAK208", event(events.NumpyCall, function="np.interp2d", replacement="")),
    ("OAK208", event(events.HostCall, function="plt.plot")),
    ("OAK210", event(events.DynamicSize, function="jnp.nonzero", size_parameter="size")),
    ("OAK210", event(events.DynamicSize, function="jnp.compress", size_parameter="")),
    ("OAK211", event(events.ShapeArgument, function="jnp.zeros", parameter="shape")),
    *(
        (
            "OAK212",
            event(
                events.StaticArgument,
                trace=trace,
                function="reduce",
                parameter="mode",
                by_user=by_user,
            ),
        )
        for trace in ("jit of `step`", "vmap of `step`")
        for by_user in (False, True)
    ),
    *(
        ("OAK213", event(events.MaskIndex, container="x", update=update))
        for update in ("", "set", "add", "multiply", "min", "apply", "get")
    ),
    ("OAK218", event(events.StagedConstant, line=8)),
    *(
        ("OAK214", event(events.SliceBound, container="x", bound=bound))
        for bound in ("start", "stop", "step")
    ),
    *(
        (
            "OAK215",
            event(
                events.ItemAssignment,
                container="buf",
                index="i",
                operator=operator,
                target_is_numpy=target_is_numpy,
            ),
        )
        for operator in ("=", "+=", "//=", "del")
        for target_is_numpy in (False, True)
    ),
    ("OAK216", event(events.HashUse, construct="dict key")),
    ("OAK217", event(events.FormatUse, construct="f-string", spec=".3f")),
    *(
        (code, event(events.Leak, kind=kind, target="seen", how="append", trace=trace))
        for trace in ("jit of `step`", "the body of lax.scan", "the body of lax.fori_loop", "grad")
        for code, kinds in {
            "OAK101": ("list", "dict", "set", "deque", "container"),
            "OAK102": ("global",),
            "OAK103": ("attribute",),
            "OAK104": ("nonlocal", "cache", "default"),
            "OAK105": ("iterator",),
            "OAK106": ("metadata",),
        }.items()
        for kind in kinds
    ),
    ("OAK105", event(events.IteratorAdvance, iterator="batches", how="next")),
    *(
        ("OAK110", event(events.SideEffect, function=name))
        for name in ("print", "logging.info", "file.write")
    ),
    *(
        ("OAK111", event(events.ImpureCall, function="time.time", what=what))
        for what in ("random", "time", "input")
    ),
    *(
        (
            "OAK301",
            event(
                events.MissingStaticArgument,
                function="step",
                option="static_argnames",
                parameter="axes",
                parameters=parameters,
            ),
        )
        for parameters in ((), ("x", "n"), ("x", "axis"))
    ),
    *(
        (
            "OAK304",
            event(events.UnhashableStatic, function="step", parameter="shape", what=what),
        )
        for what in ("a list", "a dict", "a set", "a JAX array", "a `Config`, which has no hash")
    ),
    *(
        (
            "OAK305",
            event(events.ForeignOperand, function="step", parameter="mode", what=what),
        )
        for what in ("a string", "a function")
    ),
    ("OAK305", event(events.ForeignResult, function="step", what="a string")),
    (
        "OAK306",
        event(events.TracedReceiver, function="step", cls="Model", parameter="self"),
    ),
    *(
        ("OAK401", event(events.KeyReuse, first=PLACE, how=how, loop=loop))
        for how, loop in (("again", ""), ("loop", ""), ("loop", "lax.scan body"))
    ),
    ("OAK401", event(events.KeyReuse, first=PLACE, how="comprehension", loop="")),
    *(("OAK112", event(events.OuterChange, target="calls", how=how)) for how in ("=", "append")),
    ("OAK113", event(events.ReadVariable, name="rate", call="step(x)")),
    *(
        ("OAK114", event(events.ChangedObject, call="step(x)", content=content))
        for content in (False, True)
    ),
    ("OAK219", event(events.InvertedBool, value=True, inverted="flag")),
    ("OAK219", event(events.InvertedBool, value=None, inverted="flag")),
    ("OAK220", event(events.DiscardedUpdate, target="x", method="set")),
    ("OAK221", event(events.TracedText, function="jax.debug.print")),
    ("OAK307", event(run_events.JitInLoop)),
    *(
        ("OAK308", event(run_events.Retracing, function="step", parameter=parameter))
        for parameter in ("", "size")
    ),
    ("OAK701", event(events.DeletedArrayUse)),
    (
        "OAK702",
        event(run_events.DeviceMismatch, devices=("jax.devices()[0]", "jax.devices()[1]")),
    ),
    (
        "OAK704",
        event(events.UselessDonation, function="step", parameter="x", given="f32[8]"),
    ),
    (
        "OAK302",
        event(
            events.ArrayNondiffArgument,
            function="clip",
            parameter="limit",
            annotation="jax.Array",
        ),
    ),
]

AT_DEFINITION = (
    events.MissingStaticArgument,
    events.ArrayNondiffArgument,
    events.UnhashableStatic,
    events.ForeignOperand,
    events.ForeignResult,
    events.TracedReceiver,
    events.KeyReuse,
    run_events.JitInLoop,
    run_events.Retracing,
    events.InvertedBool,
    events.DiscardedUpdate,
    events.TracedText,
    run_events.DeviceMismatch,
    events.ImpureCall,
    events.OuterChange,
    events.ReadVariable,
    events.ChangedObject,
    events.DeletedArrayUse,
    events.UselessDonation,
)
"""Events that are about how a transform is applied or a program behaves, not about a value."""


def test_every_leak_kind_is_reported() -> None:
    """A kind of leak without a rule would be proved and then forgotten."""
    tried = {subject.kind for _, subject in SUBJECTS if isinstance(subject, events.Leak)}
    assert tried == set(get_args(events.LeakKind))


@pytest.mark.parametrize(
    ("code", "subject"),
    [pytest.param(*case, id=f"{case[0]}-{n}") for n, case in enumerate(SUBJECTS)],
)
def test_finding_is_one_of_the_right_code_in_whole_sentences(code: str, subject: Event) -> None:
    """A message is one sentence without its stop, a hint is one with it."""
    (finding,) = findings(subject)
    assert finding.code == code
    assert finding.location == PLACE
    assert finding.related == (ORIGIN,)
    assert re.match(r"[A-Z`]", finding.message)
    assert finding.message.count("`") % 2 == 0
    assert finding.hint.count("`") % 2 == 0
    assert not finding.message.endswith(".")
    assert re.match(r"[A-Z].*\.$", finding.hint)
    assert "None" not in finding.message
    assert "  " not in finding.message + finding.hint


@pytest.mark.parametrize("subject", [subject for _, subject in SUBJECTS])
def test_message_names_the_transform_and_what_is_known_of_the_value(subject: Event) -> None:
    """The reader learns which transform made the value a tracer."""
    (finding,) = findings(subject)
    if isinstance(subject, AT_DEFINITION):
        return  # there is no value yet
    if isinstance(subject, events.ItemAssignment) and not subject.target_is_numpy:
        return  # immutable with or without a trace
    assert subject.trace in finding.message
    if not isinstance(subject, events.IteratorAdvance):
        assert subject.operand.aval in finding.message


@pytest.mark.parametrize("subject", [subject for _, subject in SUBJECTS])
def test_conditional_finding_is_a_warning_that_names_its_guard(subject: Event) -> None:
    """What happens only on some runs is not shown as certain."""
    guarded = type(subject)(
        subject.location,
        subject.operand,
        subject.trace,
        Confidence.LIKELY,
        "config.debug",
        *(getattr(subject, name) for name in list(subject.__dataclass_fields__)[5:]),
    )
    (finding,) = findings(guarded)
    assert finding.severity is Severity.WARNING
    assert finding.confidence is Confidence.LIKELY
    assert finding.message.endswith("(when `config.debug` allows it)")


def test_branch_says_what_is_tested_and_how_to_select() -> None:
    """The commonest finding of all, word by word."""
    (finding,) = findings(event(events.Condition, "err < tol", "bool[]", kind="if"))
    assert finding.message == (
        "`if` needs True or False, but `err < tol` (bool[]) is traced by jit of `step`: "
        "this raises TracerBoolConversionError"
    )
    assert finding.hint == (
        "Select with `jnp.where(err < tol, ..., ...)`, or branch with "
        "`jax.lax.cond(err < tol, on_true, on_false, *operands)`."
    )
    assert finding.severity is Severity.ERROR


def test_leak_says_where_the_value_is_kept() -> None:
    """The run-time error cannot name the store; the finding does."""
    leak = event(events.Leak, "hidden", "f32[4,2]", kind="list", target="activations", how="append")
    (finding,) = findings(leak)
    assert finding.message == (
        "`hidden` (f32[4,2]), traced by jit of `step`, is stored by `append` in the list "
        "`activations`, which outlives the trace: using it later raises UnexpectedTracerError"
    )
    assert finding.hint == (
        "Return `hidden` from the traced function, and store it in `activations` outside."
    )


def test_leak_known_only_by_its_store_does_not_repeat_the_store() -> None:
    """A message never says that `self.mean` is assigned `self.mean`."""
    leak = event(events.Leak, "self.mean", "f32[]", kind="attribute", target="self.mean", how="=")
    (finding,) = findings(leak)
    assert finding.message.startswith("The attribute `self.mean` is assigned a value (f32[]), ")
    assert finding.hint.startswith("Return the value from the traced function")


@pytest.mark.parametrize(
    ("kind", "details", "hint"),
    [
        (events.BooleanUse, {"construct": "min"}, "jnp.minimum"),
        (events.BooleanUse, {"construct": "not in"}, "~jnp.isin"),
        (events.ScalarConversion, {"function": "math.sqrt"}, "`jnp.sqrt`"),
        (events.ScalarConversion, {"function": "math.lgamma"}, "jax.scipy.special.gammaln"),
        (events.ScalarConversion, {"function": "int"}, 'static_argnames=("x",)'),
        (events.RangeUse, {"function": "range"}, "jax.lax.fori_loop"),
        (events.NumpyCall, {"function": "np.log", "replacement": "jnp.log"}, "`jnp.log`"),
        (events.DynamicSize, {"function": "f", "size_parameter": "length"}, "`length=...`"),
        (events.MaskIndex, {"container": "v", "update": "multiply"}, "jnp.where(x, v * value, v)"),
        (events.MaskIndex, {"container": "v", "update": ""}, "jnp.where(x, v, 0)"),
        (events.SliceBound, {"container": "v", "bound": "start"}, "dynamic_slice_in_dim(v, x, "),
        (events.SideEffect, {"function": "print"}, 'jax.debug.print("{}", x)'),
        (events.FormatUse, {"construct": "%", "spec": "%.3f"}, 'jax.debug.print("{x:.3f}", x=x)'),
    ],
)
def test_mend_is_concrete_for_the_construct(
    kind: type[Event], details: dict[str, Any], hint: str
) -> None:
    """The hint is code that can be written in the place of the mistake."""
    (finding,) = findings(event(kind, **details))
    assert hint in finding.hint


def test_static_argument_is_offered_only_where_jit_traces() -> None:
    """`vmap` and `scan` have no static arguments to offer."""
    (by_jit,) = findings(event(events.RangeUse, "n", "i32[]", "jax.jit of `f`", function="range"))
    (by_vmap,) = findings(event(events.RangeUse, "n", "i32[]", "vmap of `f`", function="range"))
    assert "static_argnames" in by_jit.hint
    assert "static_argnames" not in by_vmap.hint


def test_long_and_broken_names_stay_on_one_line() -> None:
    """A container written over several lines does not break the report."""
    source = "state[\n    'running statistics of the training set'\n]"
    index = event(events.NumpyIndex, "indices.reshape(batch, heads, ...", container=source)
    (finding,) = findings(index)
    assert "\n" not in finding.message + finding.hint
    assert finding.hint == (
        "Make it a JAX array first: `jnp.asarray(state[ 'running statistics of the tra...)[index]`."
    )
