"""Ordinary differential equations."""

from __future__ import annotations

from typing import Any

from oakum.values.declarations import public


@public("experimental.ode.odeint")
def odeint(
    func: Any,
    y0: Any,
    t: Any,
    *args: Any,
    rtol: Any = 1.4e-08,
    atol: Any = 1.4e-08,
    mxstep: Any = float("inf"),
    hmax: Any = float("inf"),
) -> Any:
    """Integrates a differential equation with an adaptive Runge-Kutta method."""
    ...
