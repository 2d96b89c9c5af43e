"""Settings of the engine's tests: every program that is traced or transformed is verified."""

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
