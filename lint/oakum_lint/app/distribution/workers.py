"""What all processes of a run do when they begin."""

import multiprocessing
import os
import signal
import threading


def settle() -> None:
    """Leaves signals to the process that has started this one, and ends with it."""
    # At a terminal Ctrl-C goes to all processes; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process, whatever it is doing, when the one that has started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
