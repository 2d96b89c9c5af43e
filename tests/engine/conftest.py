"""Settings of the engine's tests: property tests draw the same examples in every run."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "oakum", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("oakum")
