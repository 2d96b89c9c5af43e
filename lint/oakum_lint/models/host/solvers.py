"""How SciPy's solvers and integrators call the function that they get."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Solver:
    """The parameters of a solver, the function first, and what it calls that with: a `number`, or
    an array, as one of its other arguments is; then what it gets as `args`.
    """

    parameters: tuple[str, ...]
    calls_with: tuple[str, ...]

    def position(self, name: str) -> int:
        """Where a parameter stands; -1 for one that is passed by keyword alone."""
        return self.parameters.index(name) if name in self.parameters else -1


NUMBER: Final = "number"
MORE: Final = "args"
"""The parameter that holds what the function gets besides."""
OTHERWISE: Final = ("tfirst", "kwargs")
"""Parameters by which the function is called with what stands here in another order, or with more
than that."""
DERIVATIVES: Final = ("jac", "hess", "fprime", "fprime2", "Dfun")
"""Parameters that hold functions which are called as the first one is."""

_SOLVERS: Mapping[str, str] = {
    "scipy.integrate": """\
fixed_quad quadrature: func a b args | points
quad romberg: func a b args | number
odeint: func y0 t args | y0 number
solve_ivp: fun t_span y0 method t_eval dense_output events vectorized args | number y0
""",
    "scipy.optimize": """\
bisect brenth brentq ridder: f a b args | number
differential_evolution dual_annealing: func bounds args | bounds
fixed_point fmin fmin_powell fsolve leastsq minimize root: fun x0 args | x0
fmin_bfgs fmin_cg fmin_l_bfgs_b newton: fun x0 fprime args | x0
least_squares: fun x0 | x0
minimize_scalar: fun bracket bounds args | number
""",
}


@cache
def _rows() -> Mapping[str, Solver]:
    solvers: dict[str, Solver] = {}
    for module, text in _SOLVERS.items():
        for line in text.splitlines():
            names, _, rest = line.partition(":")
            parameters, _, calls_with = rest.partition("|")
            solver = Solver(tuple(parameters.split()), tuple(calls_with.split()))
            solvers.update((f"{module}.{name}", solver) for name in names.split())
    return solvers


def solver_at(path: str) -> Solver | None:
    """Returns how a function of SciPy calls what it gets; None where that is not known.

    >>> solver_at("scipy.optimize.brentq").calls_with, solver_at("scipy.linalg.inv")
    (('number',), None)
    """
    return _rows().get(path)
