"""Profiles: the files that Perfetto and TensorBoard open, read as they read them."""

import gzip
import json
import subprocess
import sys
import threading
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.api import profile_files
from oakum.runtime.native_call import native_calls
from oakum.tracing import profile_spans

Event = dict[str, Any]


def events(directory: Path) -> list[Event]:
    """The spans of the one profile below a directory, as Perfetto reads them."""
    (file,) = directory.glob("plugins/profile/*/*.trace.json.gz")
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        found = json.load(opened)["traceEvents"]
    spans = [each for each in found if each["ph"] == "X"]
    rows = {each["tid"] for each in found if each["name"] == "thread_name"}
    assert {each["tid"] for each in spans} <= rows
    return spans


def within(inner: Event, outer: Event) -> bool:
    ends = [each["ts"] + each["dur"] + 1e-3 for each in (inner, outer)]
    return outer["ts"] <= inner["ts"] and ends[0] <= ends[1] + 1e-3


def named(found: list[Event], name: str, kind: str) -> list[Event]:
    return [each for each in found if (each["name"], each["cat"]) == (name, kind)]


@jax.jit
def layers(x: Any) -> Any:
    def step(carry: Any, each: Any) -> tuple[Any, Any]:
        return carry * 0.5 + each, jnp.sum(carry)

    carry, sums = lax.scan(step, jnp.tanh(x @ x), jnp.ones((3, 8, 8)))
    return carry.sum() + sums.sum()


@pytest.fixture(autouse=True)
def no_profile_is_left() -> Iterator[None]:
    yield
    assert profile_spans.recording is None


def test_a_compiled_call_shows_its_tracing_compilation_program_and_steps(tmp_path: Path) -> None:
    @jax.jit
    def outer(x: Any) -> Any:
        return layers(x) * 2

    with jax.profiler.trace(tmp_path):
        result = outer(jnp.ones((8, 8)))
    assert float(result) == float(outer(jnp.ones((8, 8))))
    found = events(tmp_path)
    (call,) = named(found, outer.__name__, "call")
    (traced,) = [each for each in found if each["cat"] == "tracing" and "outer" in each["name"]]
    (made,) = [each for each in found if each["cat"] == "compilation"]
    (program,) = [each for each in found if each["cat"] == "program"]
    assert all(within(each, call) for each in (traced, made, program))
    assert traced["ts"] < made["ts"] < program["ts"]
    assert traced["args"]["arguments"] == "float32[8,8]"
    steps = [each for each in found if each["cat"] == "step"]
    assert all(within(each, program) for each in steps)
    (loop,) = [each for each in steps if each["name"] == "scan"]
    assert len([each for each in steps if each is not loop and within(each, loop)]) == 3
    product = next(each for each in steps if each["name"].startswith("dot_general"))
    assert f"{Path(__file__).name}:" in product["args"]["lines"]


def test_spans_of_a_thread_lie_within_or_beside_each_other(tmp_path: Path) -> None:
    beside = threading.Barrier(3)  # A thread that has ended leaves its number to the next.

    def work() -> None:
        beside.wait()
        for _ in range(3):
            layers(jnp.ones((8, 8)))

    with jax.profiler.trace(tmp_path):
        threads = [threading.Thread(target=work, name=f"worker {n}") for n in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        jnp.sin(jnp.ones(3))
    rows: dict[int, list[Event]] = defaultdict(list)
    for each in events(tmp_path):
        rows[each["tid"]].append(each)
    assert len(rows) == 4
    for row in rows.values():
        open_spans: list[Event] = []
        for each in row:
            while open_spans and each["ts"] >= open_spans[-1]["ts"] + open_spans[-1]["dur"] - 1e-3:
                open_spans.pop()
            assert not open_spans or within(each, open_spans[-1])
            open_spans.append(each)


def test_blocks_and_functions_of_the_user_have_their_names(tmp_path: Path) -> None:
    @jax.profiler.annotate_function
    def load(number: int) -> Any:
        return jnp.ones(number)

    decorated = jax.profiler.annotate_function(load, name="again", source="disk")
    with jax.profiler.trace(tmp_path):
        for number in range(2):
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                load(3)
        decorated(3)
        with pytest.raises(KeyError), jax.profiler.TraceAnnotation("fails", x=jnp.ones(2)):
            raise KeyError
    found = events(tmp_path)
    steps = named(found, "train", "user")
    assert [each["args"] for each in steps] == [{"_r": 1, "step_num": n} for n in range(2)]
    name = f"{test_blocks_and_functions_of_the_user_have_their_names.__name__}.<locals>.load"
    assert [within(each, steps[0]) for each in named(found, name, "user")] == [True, False, False]
    assert named(found, "again", "user")[0]["args"] == {"source": "disk"}
    assert named(found, "fails", "user")[0]["args"] == {"x": "[1. 1.]"}


def test_levels_leave_out_what_was_not_asked_for(tmp_path: Path) -> None:
    for level, kinds in ((0, set[str]()), (1, {"user"}), (2, {"user", "operation"})):
        options = jax.profiler.ProfileOptions()
        options.host_tracer_level = level
        profile = jax.profiler.trace(tmp_path / str(level), profiler_options=options)
        with profile, jax.profiler.TraceAnnotation("mine"):
            jnp.floor(jnp.ones(3))
        assert {each["cat"] for each in events(tmp_path / str(level))} == kinds


def test_calls_are_native_again_when_a_profile_has_ended(tmp_path: Path) -> None:
    @jax.jit
    def twice(x: Any) -> Any:
        return x * 2

    ones = jnp.ones(3)
    twice(ones)
    with jax.profiler.trace(tmp_path):
        for _ in range(2):
            twice(ones)
    assert len([each for each in events(tmp_path) if each["cat"] == "call"]) == 2
    assert twice(ones).tolist() == [2, 2, 2]
    if native_calls.are_wanted():
        assert twice._native.known


def test_a_profile_is_begun_once_and_ended_once(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="No profile started"):
        jax.profiler.stop_trace()
    jax.profiler.start_trace(tmp_path)
    with pytest.raises(RuntimeError, match="Only one profile may be run at a time"):
        jax.profiler.start_trace(tmp_path)
    assert jax.profiler.TraceAnnotation.is_enabled()
    jax.profiler.stop_trace()
    assert not jax.profiler.TraceAnnotation.is_enabled()
    assert events(tmp_path) == []
    with jax.profiler.trace(tmp_path):  # within the same second, perhaps
        pass
    assert len([*tmp_path.glob("plugins/profile/*")]) == 2


def test_a_profile_keeps_the_first_spans_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile_spans, "MOST", 5)
    with jax.profiler.trace(tmp_path):
        for _ in range(9):
            with jax.profiler.TraceAnnotation("mine"):
                pass
    assert len(events(tmp_path)) == 5
    (file,) = tmp_path.glob("plugins/profile/*/*.trace.json.gz")
    assert "4 more events are not shown" in gzip.decompress(file.read_bytes()).decode()


def test_perfetto_loads_its_file_from_this_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    jax.profiler.start_trace(tmp_path, create_perfetto_trace=True)
    jax.profiler.stop_trace()
    (file,) = tmp_path.glob(f"plugins/profile/*/{profile_files.PERFETTO}")
    monkeypatch.setattr(profile_files, "_PORT", 19001)
    served = threading.Thread(target=profile_files.serve, args=(file,))
    served.start()
    loaded = b""
    while served.is_alive() and not loaded:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:19001/{file.name}") as answer:
                loaded = answer.read()
        except OSError:  # it does not listen yet
            continue
    served.join()
    assert loaded == file.read_bytes()
    assert "https://ui.perfetto.dev/#!/?url=http://127.0.0.1:19001/" in capsys.readouterr().out


READ = """
import sys
from jax.profiler import ProfileData
(plane,) = ProfileData.from_file(sys.argv[1]).planes
for line in plane.lines:
    for each in line.events:
        print(plane.name, line.name, each.name, dict(each.stats), sep="|")
"""


@pytest.mark.exhaustive
def test_jax_reads_the_file_of_tensorboard(tmp_path: Path) -> None:
    with jax.profiler.trace(tmp_path), jax.profiler.TraceAnnotation("mine", loss=0.5, n=-3):
        jnp.sin(jnp.ones(3))
    (file,) = tmp_path.glob("plugins/profile/*/*.xplane.pb")
    command = [sys.executable, "-c", READ, str(file)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    first, *more = shown.splitlines()
    thread = threading.current_thread().name
    assert first == f"/host:CPU|{thread}|mine|{{'kind': 'user', 'loss': 0.5, 'n': -3}}"
    assert any("|sin|" in line for line in more)
