"""Code that expects exceptions: handlers, context managers and decorators of tests that say so."""

import re
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
ASKS_CONCRETE: Final = re.compile(
    r"\b(ConcretizationTypeError|Tracer\w*ConversionError|NonConcreteBooleanIndexError)\b"
)
"""What a handler says that is there for tracers: its `try` asks whether a value is concrete."""
LEAK_ERRORS: Final = frozenset({"UnexpectedTracerError"})
"""Handlers of these expect a leak too."""
MISFIT_ERRORS: Final = frozenset(
    """
    ValueError IndexError LookupError ArithmeticError AttributeError NameError
    FlaxError ScopeCollectionNotFound ModifyScopeVariableError InvalidRngError
    NotImplementedError RuntimeError JaxRuntimeError XlaRuntimeError
    """.split()
)
"""Handlers of these expect operands that do not fit, or lack an attribute, an axis that nothing
maps, variables that a module lacks, a derivative that there is not, or a deleted array, and no
other error of tracing."""

LEAVING: Final = frozenset(
    "sys.exit os._exit os.abort builtins.exit builtins.quit pytest.fail pytest.skip pytest.xfail"
    " pytest.exit".split()
)
"""Functions that never return."""
LEAVING_METHODS: Final = frozenset({"skipTest", "fail"})
"""Methods of test cases that never return."""
LEAVING_NAMES: Final = LEAVING_METHODS | {path.rpartition(".")[2] for path in LEAVING}
"""What they are called: where no other function is, nothing is looked up."""
SAYS_LEAVING: Final = re.compile(rf"\b({'|'.join(sorted(LEAVING_NAMES))})\b")
"""Code that may call one of them."""

EXPECTING_FUNCTIONS: Final = frozenset(
    {
        "contextlib.suppress",
        "pytest.raises",
        "numpy.testing.assert_raises",
        "numpy.testing.assert_raises_regex",
        "nose.tools.assert_raises",
        "nose.tools.raises",
    }
)
"""Context managers, or callers of a function, that expect an exception."""
EXPECTING_METHODS: Final = frozenset(
    {"assertRaises", "assertRaisesRegex", "assertRaisesWithLiteralMatch"}
)
"""Methods of test cases that do so."""
TEST_CASES: Final = frozenset(
    {
        "unittest.TestCase",
        "unittest.IsolatedAsyncioTestCase",
        "absl.testing.absltest.TestCase",
        "absl.testing.parameterized.TestCase",
        "chex.TestCase",
        "jax._src.test_util.JaxTestCase",
        "tensorflow.test.TestCase",
    }
)
"""Classes that have these methods."""
EXPECTING_NAMES: Final = EXPECTING_METHODS | {
    path.rpartition(".")[2] for path in EXPECTING_FUNCTIONS
}
"""The last parts of all these names: what else is called so is not known to expect an exception,
and what it runs fails likely.
"""
SAYS_RAISES: Final = re.compile(r"[rR]aises")
"""What stands in each text that has one of them, but for `suppress`."""
FAILING_DECORATORS: Final = frozenset(
    {
        *("unittest.expectedFailure", "unittest.skip", "pytest.mark.xfail", "pytest.mark.skip"),
        *("absl.testing.absltest.expectedFailure", "absl.testing.absltest.skip"),
        "nose.tools.raises",
    }
)
"""Decorators of tests that fail, or do not run."""
FAILING_NAMES: Final = frozenset(path.rpartition(".")[2] for path in FAILING_DECORATORS)
"""The last parts of their names: with another decorator called so, a test fails likely."""
SETTING_METHOD: Final = "setattr"
"""The method by which fixtures of tests replace an attribute while a test runs."""
