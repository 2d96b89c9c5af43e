"""What rules say: a headline with the user's own names, notes, and a hint in one sentence."""

import re
from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from event_classes import event_classes

from oakum.values.records import fields, replace
from oakum_lint.analyses import (
    async_timing,
    devices,
    impure_calls,
    index_bounds,
    leaks,
    trace_reads,
    unrolled_loops,
    wide_dtypes,
)
from oakum_lint.analyses.donation import deleted_arrays
from oakum_lint.analyses.gradients import gradient_is_zero, singularities
from oakum_lint.analyses.keys import reused_keys
from oakum_lint.analyses.recompilation import jit_in_loop, retrace_in_loop
from oakum_lint.domain import cuts, events
from oakum_lint.domain.events import Event, Operand
from oakum_lint.rules import RULES
from oakum_lint.rules.rule import heard_by
from oakum_lint.rules.wording import HEADLINE_LIMIT, LONGEST_HEADLINE, headline, or_static
from oakum_lint.text.finding import Confidence, Finding, Location, Related, Severity

PLACE = Location("model.py", 7, 8, 7, 20)
ORIGIN = Related(Location("model.py", 4, 1, 4, 9), "traced by jit of `step`")


def event(
    cls: type[Event],
    /,
    source: str = "x",
    aval: str = "f32[8]",
    trace: str = "jit of `step`",
    guard: str = "",
    **details: Any,
) -> Event:
    """An event as the interpreter would send it."""
    operand = Operand(source, aval)
    return cls(PLACE, operand, trace, (), guard, (ORIGIN,), None, False, **details)


def reused(how: str, loop: str, evidence: str, in_object: bool = False) -> Event:
    """A key that is used again."""
    return event(
        reused_keys.KeyReuse,
        first=PLACE,
        how=how,
        loop=loop,
        evidence=evidence,
        in_object=in_object,
    )


def findings(subject: Event) -> list[Finding]:
    """What all rules that listen to an event make of it."""
    return [
        finding
        for rule in RULES
        if type(subject).__name__ in heard_by(rule)
        for finding in rule().check(subject)
    ]


MISFIT: dict[str, Any] = {
    "function": "+",
    "given": (Operand("x", "f32[8]"), Operand("y", "f32[4]")),
    "reason": "Incompatible shapes for broadcasting: (8,) and (4,)",
    "detail": "The sizes are neither equal nor 1",
    "hint": "Reshape an operand.",
}
SIDES: dict[str, Any] = {"before": "f32[8]", "after": "f32[4]"}
NAN_GRADIENTS: tuple[dict[str, Any], ...] = (
    {},
    {"names": ("x", "y")},
    {"partly": True},
    {"corner": True},
    {"equal": True},
    {"bounded": True},
    {"small": True},
    {"hidden": "jnp.nan_to_num"},
    {"number": 1.0},
    {"number": -1.0, "beyond": True},
)
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
            "OAK104": ("nonlocal", "cache", "callback", "default"),
            "OAK105": ("iterator",),
            "OAK106": ("metadata",),
        }.items()
        for kind in kinds
    ),
    ("OAK106", event(events.MetadataArray, target="Tokens", member="log_probs")),
    ("OAK105", event(leaks.IteratorAdvance, iterator="batches", how="next")),
    *(
        ("OAK110", event(events.SideEffect, function=name, once=True))
        for name in ("print", "logging.info", "file.write")
    ),
    *(
        ("OAK111", event(impure_calls.ImpureCall, function="time.time", what=what))
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
        for what in (
            *(events.Unhashable(kind, f"a {kind}") for kind in get_args(events.UnhashableKind)),
            events.Unhashable("class", "a `Config`, which has no hash", "Config"),
        )
    ),
    *(
        (
            "OAK305",
            event(events.ForeignOperand, function="step", parameter="mode", what=what),
        )
        for what in ("a string", "a function")
    ),
    ("OAK305", event(events.ForeignResult, function="step", what="a string")),
    ("OAK305", event(events.ForeignResult, function="step", what="a string", to="lax.scan")),
    ("OAK305", event(events.ForeignResidual, function="forward", what="a function")),
    (
        "OAK306",
        event(events.TracedReceiver, function="step", cls="Model", parameter="self"),
    ),
    *(
        ("OAK401", reused(how=how, loop=loop, evidence=evidence))
        for how, loop in (("again", ""), ("loop", ""), ("loop", "lax.scan body"))
        for evidence in ("", "test", "comparison", "comment", "copy")
    ),
    ("OAK401", reused(how="comprehension", loop="", evidence="")),
    ("OAK401", reused(how="again", loop="", evidence="", in_object=True)),
    *(("OAK112", event(events.OuterChange, target="calls", how=how)) for how in ("=", "append")),
    ("OAK113", event(trace_reads.ReadVariable, name="rate", call="step(x)")),
    *(
        ("OAK114", event(trace_reads.ChangedObject, call="step(x)", content=content))
        for content in (False, True)
    ),
    ("OAK219", event(events.InvertedBool, value=True, inverted="flag")),
    ("OAK219", event(events.InvertedBool, value=None, inverted="flag")),
    ("OAK307", event(jit_in_loop.JitInLoop)),
    *(
        ("OAK308", event(retrace_in_loop.Retracing, function="step", parameter=parameter))
        for parameter in ("", "size")
    ),
    (
        "OAK308",
        event(retrace_in_loop.Retracing, function="f", parameter="g", made=True, default=True),
    ),
    ("OAK701", event(deleted_arrays.DeletedArrayUse)),
    ("OAK701", event(deleted_arrays.DeletedArrayUse, how="deleted")),
    *(
        (code, event(events.Misfit, problem=problem, **MISFIT))
        for code, problem in (("OAK501", "shape"), ("OAK502", "dtype"))
    ),
    *(
        ("OAK503", event(events.SequenceOperand, function=function, kind=kind, count=count))
        for function, count in (("", ""), ("+", ""), ("*", "jnp.max(lengths)"), ("jnp.sum", ""))
        for kind in ("list", "tuple")
    ),
    *(
        ("OAK504", event(events.CarryMismatch, operator="lax.scan", kind=kind, part=part, **SIDES))
        for kind in ("carry", "branches", "pair", "condition")
        for part in ("", "['w']")
    ),
    (
        "OAK505",
        event(wide_dtypes.WideDtype, function="jnp.zeros", requested="float64", given="float32"),
    ),
    *(
        (
            "OAK506",
            event(
                index_bounds.OutOfBoundsIndex,
                container="x",
                index=9,
                axis=0,
                length=4,
                update=update,
                fills=fills,
                read=None,
                width=width,
            ),
        )
        for update, fills, width in (
            ("", False, 1),
            ("set", False, 1),
            ("", True, 1),
            ("", False, 3),
        )
    ),
    *(
        (
            "OAK601",
            event(
                events.GradientType, transform="grad", function="f", problem=problem, found="i32[]"
            ),
        )
        for problem in ("input", "shape", "tree", "dtype", "aux")
    ),
    *(
        ("OAK602", event(singularities.NanGradient, function="jnp.sqrt", **details))
        for details in NAN_GRADIENTS
    ),
    *(
        (
            "OAK603",
            event(gradient_is_zero.ZeroGradient, transform="grad", function="f", independent=names),
        )
        for names in ((), ("w", "b"))
    ),
    *(
        ("OAK107", event(events.ModuleState, kind=kind, target="self.param"))
        for kind in ("parameters", "variable")
    ),
    ("OAK003", event(cuts.AnalysisCut, reason="`f` calls `g` more than 1,000 deep")),
    ("OAK710", event(unrolled_loops.UnrolledLoop, iterations=128)),
    ("OAK711", event(async_timing.UnawaitedTiming, function="step")),
    (
        "OAK702",
        event(devices.DeviceMismatch, devices=("jax.devices()[0]", "jax.devices()[1]")),
    ),
    (
        "OAK704",
        event(deleted_arrays.UselessDonation, function="step", parameter="x", given="f32[8]"),
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


def values_of(kind: object) -> tuple[Any, ...]:
    """What a field of an event may hold, by its annotation."""
    simple: dict[object, tuple[Any, ...]] = {
        str: ("x",),
        int: (3,),
        float: (1.0,),
        bool: (False, True),
        Location: (PLACE,),
        type(None): (None,),
        tuple[str, ...]: ((), ("x", "y")),
    }
    if get_origin(kind) is Literal:
        return get_args(kind)
    if isinstance(kind, UnionType):
        return tuple(value for each in get_args(kind) for value in values_of(each))
    return simple[kind]


def subjects_of(cls: type[Event]) -> Iterator[tuple[str, Event]]:
    """An event of a class that has no subject of its own, and one for each value of each field."""
    shared = {field.name for field in fields(Event)}
    hints = get_type_hints(cls)
    possible = {
        field.name: values_of(hints[field.name])
        for field in fields(cls)
        if field.name not in shared
    }
    first = {name: values[0] for name, values in possible.items()}
    made = [event(cls, **first)]
    made += [
        event(cls, **{**first, name: value})
        for name, values in possible.items()
        for value in values[1:]
    ]
    codes = [rule.code.code for rule in RULES if cls.__name__ in heard_by(rule)]
    return ((code, each) for code in codes for each in made)


_NAMED = {type(subject) for _, subject in SUBJECTS}
SUBJECTS.extend(each for cls in event_classes() if cls not in _NAMED for each in subjects_of(cls))

LONG = {
    "container": "y" * 40,
    "function": "f" * 40,
    "target": "t" * 40,
    "call": "c" * 40,
    "parameter": "p" * 40,
    "iterator": "i" * 40,
    "name": "n" * 40,
}
"""Fields that hold the user's own text, as long as an event may have it."""

OF_TRACED_VALUES = (
    events.Condition,
    events.LoopCondition,
    events.BooleanUse,
    events.ScalarConversion,
    events.RangeUse,
    events.SequenceIndex,
    events.NumpyIndex,
    events.NumpyCall,
    events.HostCall,
    events.DynamicSize,
    events.ShapeArgument,
    events.StaticArgument,
    events.StagedConstant,
    events.MaskIndex,
    events.SliceBound,
    events.ItemAssignment,
    events.Leak,
    events.HashUse,
    events.FormatUse,
    events.SideEffect,
    leaks.IteratorAdvance,
)
"""Events whose notes say by what their operand is traced; the rest are about how a transform is
applied, or how a program behaves."""


def test_every_event_has_a_subject() -> None:
    """A new event's message is tried here before a user reads it; a certain error has none."""
    tried = {type(subject).__name__ for _, subject in SUBJECTS}
    assert tried == {cls.__name__ for cls in Event.__subclasses__()} - {"CertainError"}


def test_every_rule_has_a_subject() -> None:
    assert {code for code, _ in SUBJECTS} == {rule.code.code for rule in RULES if heard_by(rule)}


def test_every_leak_kind_is_reported() -> None:
    """A kind of leak without a rule would be proved and then forgotten."""
    tried = {subject.kind for _, subject in SUBJECTS if isinstance(subject, events.Leak)}
    assert tried == set(get_args(events.LeakKind))


@pytest.mark.parametrize(
    ("code", "subject"),
    [pytest.param(*case, id=f"{case[0]}-{n}") for n, case in enumerate(SUBJECTS)],
)
def test_finding_is_one_of_the_right_code_in_one_style(code: str, subject: Event) -> None:
    """A headline and a note are no sentences, a hint is one."""
    (finding,) = findings(subject)
    assert finding.code == code
    assert finding.location == PLACE
    assert finding.related == (ORIGIN,)
    for text in (finding.message, *finding.notes):
        assert re.match(r"[a-z`~]", text)
        assert not text.endswith(".")
    assert re.match(r"[A-Z].*\.$", finding.hint)
    assert "None" not in finding.message
    for text in (finding.message, *finding.notes, finding.hint):
        assert text.count("`") % 2 == 0
        assert "  " not in text


@pytest.mark.parametrize("subject", [subject for _, subject in SUBJECTS])
def test_headline_fits_one_line_of_a_terminal(subject: Event) -> None:
    """Also where the user's own text is long: the event cuts it at 40 characters."""
    (finding,) = findings(subject)
    assert len(finding.message) <= HEADLINE_LIMIT
    names = [name for name in LONG if isinstance(getattr(subject, name, None), str)]
    wide = replace(subject, operand=Operand("x" * 40, "f32[8]"), **{n: LONG[n] for n in names})
    (finding,) = findings(wide)
    by_engine = isinstance(subject, events.Misfit)
    assert len(finding.message) <= (LONGEST_HEADLINE if by_engine else HEADLINE_LIMIT)


def _has_a_traced_value(subject: Event) -> bool:
    if isinstance(subject, events.ItemAssignment):
        return subject.target_is_numpy  # else it is immutable with or without a trace
    return isinstance(subject, OF_TRACED_VALUES)


@pytest.mark.parametrize("subject", [s for _, s in SUBJECTS if _has_a_traced_value(s)])
def test_notes_name_the_transform_and_what_is_known_of_the_value(subject: Event) -> None:
    """The reader learns which transform made the value a tracer."""
    (finding,) = findings(subject)
    notes = " ".join(finding.notes)
    assert subject.trace in notes
    if not isinstance(subject, leaks.IteratorAdvance):
        assert subject.operand.aval in notes


@pytest.mark.parametrize("subject", [subject for _, subject in SUBJECTS])
def test_conditional_finding_is_a_warning_that_names_its_guard(subject: Event) -> None:
    """What happens only on some runs is not shown as certain, nor what is meant as wrong."""
    guarded = type(subject)(
        subject.location,
        subject.operand,
        subject.trace,
        (ORIGIN,),
        "config.debug",
        *(getattr(subject, name) for name in list(subject.__dataclass_fields__)[5:]),
    )
    (finding,) = findings(guarded)
    is_meant = getattr(subject, "evidence", "") != ""
    assert finding.severity is (Severity.INFORMATION if is_meant else Severity.WARNING)
    assert finding.confidence is Confidence.LIKELY
    assert finding.notes[-1] == "this happens when `config.debug` allows it"


def test_branch_says_what_is_tested_and_how_to_select() -> None:
    """The commonest finding of all, word by word."""
    (finding,) = findings(event(events.Condition, "err < tol", "bool[]", kind="if"))
    assert finding.message == "`if` on traced value `err < tol`"
    assert finding.notes == (
        "`err < tol` (bool[]) is traced by jit of `step`: this raises TracerBoolConversionError",
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
    assert finding.message == "tracer `hidden` leaks into outer list `activations`"
    assert finding.notes == (
        "`hidden` (f32[4,2]), traced by jit of `step`, is stored by `append` in a list that "
        "outlives the trace: using it later raises UnexpectedTracerError",
    )
    assert finding.hint == (
        "Return `hidden` from the traced function, and store it in `activations` outside."
    )


def test_leak_known_only_by_its_store_does_not_repeat_the_store() -> None:
    """A message never says that `self.mean` is assigned `self.mean`."""
    leak = event(events.Leak, "self.mean", "f32[]", kind="attribute", target="self.mean", how="=")
    (finding,) = findings(leak)
    assert finding.message == "tracer leaks into attribute `self.mean`"
    assert finding.notes[0].startswith("a value (f32[]), traced by ")
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
        (events.SideEffect, {"function": "print", "once": True}, 'jax.debug.print("{}", x)'),
        (events.FormatUse, {"construct": "%", "spec": "%.3f"}, 'jax.debug.print("{x:.3f}", x=x)'),
    ],
)
def test_hint_is_concrete_for_the_construct(
    kind: type[Event], details: dict[str, Any], hint: str
) -> None:
    """The hint is code that can be written in the place of the mistake."""
    (finding,) = findings(event(kind, **details))
    assert hint in finding.hint


@pytest.mark.parametrize("trace", ["jax.jit of `f`", "vmap of `f`"])
@pytest.mark.parametrize(
    ("function", "hint", "may_be_static"),
    [
        ("int", "Write `.astype(jnp.int32)` to stay an array", True),
        ("float", "Leave it an array, or convert what the traced function returns, outside", False),
        (
            "complex",
            "Leave it an array, or convert what the traced function returns, outside",
            False,
        ),
        (
            "bool",
            "Leave it a boolean array, and select with `jnp.where` or `jax.lax.cond`",
            False,
        ),
        ("item", "Call `.item()` outside, on what the traced function returns", False),
        (".tolist()", "Call `.tolist()` outside, on what the traced function returns", False),
        ("math.sqrt", "Write `jnp.sqrt`", False),
        ("cmath.phase", "Write `jnp.angle`", False),
        ("cmath.sqrt", "Write `jnp.sqrt`", False),
        ("math.ulp", "Use a function of `jax.numpy` or `jax.scipy.special`", True),
    ],
)
def test_hint_is_the_one_for_the_conversion(
    function: str, hint: str, may_be_static: bool, trace: str
) -> None:
    """What is written for `item` would not help who wrote `int`."""
    subject = event(events.ScalarConversion, "n", "i32[]", trace, function=function)
    (finding,) = findings(subject)
    static = or_static(subject) if may_be_static else ""
    assert finding.hint == f"{hint}{static}."
    assert ("static_argnames" in finding.hint) == (may_be_static and "jit" in trace)


def test_static_argument_is_offered_only_where_jit_traces() -> None:
    """`vmap` and `scan` have no static arguments to offer."""
    (by_jit,) = findings(event(events.RangeUse, "n", "i32[]", "jax.jit of `f`", function="range"))
    (by_vmap,) = findings(event(events.RangeUse, "n", "i32[]", "vmap of `f`", function="range"))
    assert "static_argnames" in by_jit.hint
    assert "static_argnames" not in by_vmap.hint


def test_names_are_elided_to_what_can_be_recognised() -> None:
    """Where many long names do not fit, the line is longer, and none is cut to nothing."""
    names = [f"{letter}_of_every_parameter_of_the_model" for letter in "abcdefg"]
    line = headline("{} " * len(names), *names)
    assert line.split() == [f"{name[:5]}...{name[-3:]}" for name in names]
    assert headline("{} and {}", "x", names[0]) == f"x and {names[0]}"


def test_long_and_broken_names_stay_on_one_line() -> None:
    """A container written over several lines does not break the report."""
    source = "state[\n    'running statistics of the training set'\n]"
    index = event(events.NumpyIndex, "indices.reshape(batch, heads, ...", container=source)
    (finding,) = findings(index)
    assert "\n" not in finding.message + finding.hint
    assert "`jnp.asarray(state[ 'running statist...raining set' ])[index]`" in finding.hint
