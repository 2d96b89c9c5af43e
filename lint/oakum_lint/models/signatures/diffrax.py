"""What the functions of Diffrax take: `register` describes the form of a row."""

DIFFRAX = {
    "diffrax": """\
AbstractAdaptiveSolver AbstractAdaptiveStepSizeController AbstractAdjoint
    AbstractBrownianIncrement AbstractBrownianPath AbstractDiscreteTerminatingEvent
    AbstractFosterLangevinSRK AbstractGlobalInterpolation AbstractImplicitSolver
    AbstractItoSolver AbstractLocalInterpolation AbstractPath AbstractProgressMeter
    AbstractSolver AbstractSpaceTimeLevyArea AbstractSpaceTimeTimeLevyArea
    AbstractStepSizeController AbstractStratonovichSolver AbstractTerm AbstractWrappedSolver
    BacksolveAdjoint ConstantStepSize DirectAdjoint Euler EulerHeun ForwardMode ItoMilstein
    LeapfrogMidpoint NoProgressMeter RESULTS ReversibleHeun SemiImplicitEuler
    StratonovichMilstein citation citation_rules importlib:
AbstractDIRK AbstractERK AbstractESDIRK AbstractRungeKutta AbstractSDIRK AbstractSRK Bosh3
    Dopri5 Dopri8 GeneralShARK Heun Midpoint Ralston SEA SPaRK SRA1 ShARK SlowRK Tsit5:
    scan_kind=
adjoint_rms_seminorm: x
ALIGN QUICSORT ShOULD: taylor_threshold=
backward_hermite_coefficients: ts ys * deriv0= replace_nans_at_start= fill_forward_nans_at_end=
BrownianIncrement: dt W
ButcherTableau: c b_sol b_error a_lower a_diagonal= a_predictor= c1=
CalculateJacobian: value names= * module= qualname= type= start= boundary=
ClipStepSizeController: controller step_ts= jump_ts= store_rejected_steps= _callback_on_reject=
ControlTerm WeaklyDiagonalControlTerm: vector_field control
CubicInterpolation: ts coeffs
DenseInterpolation: ts ts_size infos interpolation_cls direction t0_if_trivial y0_if_trivial
diffeqsolve: terms solver t0 t1 dt0 y0 args= * saveat= stepsize_controller= adjoint= event=
    max_steps= throw= progress_meter= solver_state= controller_state= made_jump=
    discrete_terminating_event=
DiscreteTerminatingEvent: cond_fn
Event: cond_fn root_finder= direction=
FourthOrderPolynomialInterpolation: * t0 t1 y0 y1 k
HalfSolver: solver
ImplicitAdjoint: linear_solver= tags=
ImplicitEuler: root_finder= root_find_max_steps=
is_event is_okay is_successful: result
KenCarp3 KenCarp4 KenCarp5 Kvaerno3 Kvaerno4 Kvaerno5 Sil3: scan_kind= root_finder=
    root_find_max_steps=
linear_interpolation: ts ys * fill_forward_nans_at_end= replace_nans_at_start=
LinearInterpolation: ts ys
LocalLinearInterpolation: t0 t1 y0 y1
MultiButcherTableau: *tableaus
MultiTerm: *terms
ODETerm: vector_field
PIDController: rtol atol norm= pcoeff= icoeff= dcoeff= dtmin= dtmax= force_dtmin= factormin=
    factormax= safety= error_order=
rectilinear_interpolation: ts ys replace_nans_at_start=
RecursiveCheckpointAdjoint: checkpoints=
SaveAt: * t0= t1= ts= steps= fn= subs= dense= solver_state= controller_state= made_jump=
Solution: t0 t1 ts ys interpolation stats result solver_state controller_state made_jump
    event_mask
SpaceTimeLevyArea: dt W H
SpaceTimeTimeLevyArea: dt W H K
SteadyStateEvent steady_state_event: rtol= atol= norm=
StepTo: ts
StochasticButcherTableau: a b_sol b_error c coeffs_w coeffs_hh coeffs_kk ignore_stage_f
    ignore_stage_g
SubSaveAt: * t0= t1= ts= steps= fn=
TextProgressMeter: minimum_increase=
ThirdOrderHermitePolynomialInterpolation: * t0 t1 y0 y1 k0 k1
TqdmProgressMeter: refresh_steps=
UnderdampedLangevinDiffusionTerm: gamma u bm
UnderdampedLangevinDriftTerm: gamma u grad_f
UnsafeBrownianPath: shape key levy_area=
VeryChord: rtol atol norm= kappa= linear_solver=
VirtualBrownianTree: t0 t1 tol shape key levy_area= _spline=
with_stepsize_controller_tols: cls
""",
}
