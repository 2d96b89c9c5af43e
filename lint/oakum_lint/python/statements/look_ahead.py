"""What runs only if there are several devices: looked at for what it says of them."""

from collections.abc import Callable

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import HeapObject, next_uid

SEVERAL_DEVICES = "it runs only where there are several devices"


def look_ahead(machine: Machine, run: Callable[[], bool], frame: Frame) -> None:
    """Runs what several devices would have run, for what it says of devices and for the objects
    that it makes; there may be one device only.
    """
    begun, returned, left = next_uid(), len(frame.flow.returns), len(frame.flow.exits)
    with machine.reports.collecting() as events:
        _, written = machine.run_path(run)
    del frame.flow.returns[returned:], frame.flow.exits[left:]
    for (owner, name), value in written.items():
        if isinstance(owner, HeapObject) and owner.uid > begun:
            machine.write(owner, name, value)
    machine.reports.report(
        [event.weakened(SEVERAL_DEVICES) for event in events if event.needs_devices]
    )
