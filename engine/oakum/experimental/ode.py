"""Ordinary differential equations."""

from __future__ import annotations

from typing import Any

from oakum.values.declarations import public


@public("experimental.ode.odeint")
def odeint(
    func: object,
    y0: object,
    t: object,
    *args: object,
    rtol: object = 1.4e-08,
    atol: object = 1.4e-08,
    mxstep: object = float("inf"),
    hmax: object = float("inf"),
) -> Any:
    """Integrates a differential equation with an adaptive Runge-Kutta method."""
    ...
