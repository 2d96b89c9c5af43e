"""Diffrax, Optimistix, Lineax, JAXopt, BlackJAX and mctx: solvers that trace the functions passed
to them.

The state of a solver is a tree of arrays; further arguments are the user's, and may be anything.
"""

from typing import Final

from oakum_lint.models.frameworks.equinox import BASES as EQUINOX_BASES
from oakum_lint.models.frameworks.framework import BaseClass

TRANSFORMS = {
    "diffrax": """\
ODETerm ControlTerm WeaklyDiagonalControlTerm: jit filter vector_field arrays=0,1 solves
Event: jit filter cond_fn arrays=0,1 solves
""",
    "optimistix": """\
fixed_point least_squares minimise root_find: jit filter fn arrays=0 solves
""",
    "lineax": """\
FunctionLinearOperator JacobianLinearOperator: jit filter fn arrays=0 solves
""",
    "jaxopt": """\
BFGS GradientDescent LBFGS LBFGSB NonlinearCG PolyakSGD ArmijoSGD OptaxSolver
    ScipyMinimize ScipyBoundedMinimize: jit all fun gradient
ProximalGradient: jit all fun,prox gradient
ProjectedGradient: jit all fun,projection gradient
MirrorDescent BlockCoordinateDescent: jit all fun gradient
AndersonAcceleration FixedPointIteration: jit all fixed_point_fun
Bisection: jit all optimality_fun
Broyden: jit all fun
GaussNewton LevenbergMarquardt: jit all residual_fun
""",
    "jaxopt.implicit_diff": """\
custom_fixed_point: named through fixed_point_fun
custom_root: named through optimality_fun
""",
    "mctx": """\
gumbel_muzero_policy muzero_policy search: jit all recurrent_fn skip=1 solves
""",
    "blackjax": """\
barker dynamic_hmc ghmc hmc mala mclmc nuts: grad all logdensity_fn solves
window_adaptation: jit through logdensity_fn
""",
}

GIVES_GRADIENT: Final = "value_and_grad"
"""The option of JAXopt by which an objective returns its gradient itself."""

_EQUINOX_MODULES = """
    diffrax.AbstractAdaptiveSolver diffrax.AbstractAdjoint diffrax.AbstractBrownianPath
    diffrax.AbstractGlobalInterpolation diffrax.AbstractImplicitSolver diffrax.AbstractItoSolver
    diffrax.AbstractLocalInterpolation diffrax.AbstractPath diffrax.AbstractRungeKutta
    diffrax.AbstractSolver diffrax.AbstractStepSizeController diffrax.AbstractStratonovichSolver
    diffrax.AbstractTerm diffrax.AbstractWrappedSolver lineax.AbstractLinearOperator
    lineax.AbstractLinearSolver optimistix.AbstractAdjoint optimistix.AbstractDescent
    optimistix.AbstractFixedPointSolver optimistix.AbstractGaussNewton
    optimistix.AbstractGradientDescent optimistix.AbstractIterativeSolver
    optimistix.AbstractLeastSquaresSolver optimistix.AbstractMinimiser
    optimistix.AbstractRootFinder optimistix.AbstractSearch
"""

BASES: dict[str, BaseClass] = dict.fromkeys(
    _EQUINOX_MODULES.split(), EQUINOX_BASES["equinox.Module"]
)
