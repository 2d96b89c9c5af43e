"""What all tests share: goldens, which are whole outputs kept as files and reviewed in diffs."""

import atexit
import gc
import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Real JAX is the reference: what it compiles runs once, so it need not be optimised. Of two devices
# programs can tell that they are two.
os.environ.setdefault(
    "XLA_FLAGS",
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true "
    "--xla_force_host_platform_device_count=2",
)


def _remove(folder: str, owner: int) -> None:
    """Removes a folder at the end of the process that has made it, not of one forked from it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


# Compiled code is kept for one run of the tests, apart from the user's own.
if "OAKUM_CACHE_DIR" not in os.environ:
    os.environ["OAKUM_CACHE_DIR"] = tempfile.mkdtemp(prefix="oakum-tests-")
    atexit.register(_remove, os.environ["OAKUM_CACHE_DIR"], os.getpid())

# A shell has what it starts in the background ignore Ctrl-C, which some tests send to themselves.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Property tests draw the same examples in every run, on machines of any speed.
settings.register_profile(
    "oakum", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("oakum")

GOLDEN_DIRECTORY = Path(__file__).parent / "golden"

Golden = Callable[[str, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write what tests produce into tests/golden"
    )


def pytest_collection() -> None:
    """Has no garbage looked for while tests are collected: what is made then stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leaves what collection made out of each later search for garbage, and for holders of leaks.

    It is 2.9 million objects. Without them the tests take a fifth less time. What of it is garbage
    already is not worth the 2 s of looking for it.
    """
    gc.enable()
    gc.freeze()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Leaves out, too, what the tests of a file leave behind: mostly what JAX has compiled, which
    stays. A search through it took 1 to 3 s, 60 s in all.
    """
    if nextitem is not None and nextitem.path != item.path:
        gc.collect(1)
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks as exhaustive what a `sweep(stride)` leaves out of a plain run, and as nightly what a
    `thinned(step)` leaves out of CI's exhaustive one.

    The cases of one test are counted, so that each test keeps its first one, and a case is in a
    run or not whichever files are collected beside its own.
    """
    swept: Counter[str] = Counter()
    thinned: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        sweep = item.get_closest_marker("sweep")
        if sweep is not None:
            if swept[test] % int(sweep.args[0]):
                item.add_marker(pytest.mark.exhaustive)
            swept[test] += 1
        thin = item.get_closest_marker("thinned")
        if thin is not None and item.get_closest_marker("exhaustive") is not None:
            if thinned[test] % int(thin.args[0]):
                item.add_marker(pytest.mark.nightly)
            thinned[test] += 1


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the file of that name in tests/golden."""
    update = bool(request.config.getoption("--update-golden"))

    def compare(name: str, text: str) -> None:
        file = GOLDEN_DIRECTORY / name
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        assert file.is_file(), f"{file} is missing: run pytest --update-golden and review it"
        assert text == file.read_text(encoding="utf-8"), (
            f"the output differs from {file}; if that is meant, run pytest --update-golden"
        )

    return compare
