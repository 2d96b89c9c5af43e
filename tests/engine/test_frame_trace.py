"""What `oakum run` keeps of calls costs a program little, however long it runs."""

import sys

import pytest

from oakum.api.checks import jax_frames
from oakum.api.checks.seen_calls import SeenCalls


def test_nothing_is_traced_any_more_where_nothing_new_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jax_frames, "_MOST_IDLE", 50)
    trace = jax_frames.FrameTrace()
    calls = SeenCalls(trace)

    def often(x: int) -> int:
        return x

    def late(x: float) -> float:
        return x

    trace.add([calls])
    try:
        for _ in range(256 + 40):
            often(1)
        late(2.0)  # it was not seen before: the count begins again
        for _ in range(40):
            often(1)
        assert sys.gettrace() is not None
        for _ in range(20):
            often(1)
        assert sys.gettrace() is None
    finally:
        trace.end()
    assert {each["name"].rpartition(".")[2]: each["calls"] for each in calls.found} == {  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        "often": 256,
        "late": 1,
    }
