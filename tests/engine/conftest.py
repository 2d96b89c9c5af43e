"""Settings of the engine's tests: property tests draw the same examples in every run, and every
program that is traced or transformed is verified.
"""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from oakum import config

settings.register_profile(
    "oakum", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("oakum")


@pytest.fixture(autouse=True)
def _checked_programs() -> Iterator[None]:
    """Has each program checked, in all threads; not a block, which other threads do not see."""
    before = config.enable_checks.get_global()
    config.enable_checks.set_global(True)
    yield
    config.enable_checks.set_global(before)
