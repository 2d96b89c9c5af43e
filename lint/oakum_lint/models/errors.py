"""Code that expects exceptions: handlers, context managers and decorators of tests that say so."""

from typing import Final

EXPECTED_ERRORS: Final = frozenset(
    """
    Exception BaseException TypeError ConcretizationTypeError TracerBoolConversionError
    TracerIntegerConversionError TracerArrayConversionError NonConcreteBooleanIndexError
    JAXTypeError JAXIndexError
    """.split()
)
"""Handlers of these expect what is reported of tracers: in their `try` body only leaks are
reported.
"""
LEAK_ERRORS: Final = frozenset({"UnexpectedTracerError"})
"""Handlers of these expect a leak too."""
MISFIT_ERRORS: Final = frozenset({"ValueError", "IndexError", "LookupError", "ArithmeticError"})
"""Handlers of these expect operands that do not fit, and no other error of tracing."""

EXPECTING_CONTEXTS: Final = frozenset(
    """
    raises assertRaises assertRaisesRegex assertRaisesWithLiteralMatch assert_raises
    assert_raises_regex suppress
    """.split()
)
"""Context managers that expect an exception, by the last part of their names."""
FAILING_DECORATORS: Final = frozenset({"expectedFailure", "xfail", "skip"})
"""Decorators of tests that fail, or do not run."""
