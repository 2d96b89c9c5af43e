"""Settings of the engine's tests: every program that is traced or transformed is checked, and with
`OAKUM_VERIFY=1` in the environment every run of a compiled one is compared with its evaluation.
"""

from collections.abc import Iterator

import pytest

from oakum import config


@pytest.fixture(autouse=True)
def _checked_programs() -> Iterator[None]:
    """Has each program checked, in all threads; not a block, which other threads do not see."""
    before = config.enable_checks.get_global()
    config.enable_checks.set_global(True)
    yield
    config.enable_checks.set_global(before)


@pytest.fixture(autouse=True)
def _unverified_programs(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Has the programs of tests that are marked `unverified` run as they do for users, also in the
    processes that they start.
    """
    before = config.verify.get_global()
    if "unverified" in request.keywords and before:
        config.verify.set_global(False)
        monkeypatch.delenv("OAKUM_VERIFY", raising=False)
    yield
    if config.verify.get_global() != before:
        config.verify.set_global(before)
