# category: python-branch-on-tracer
import jax


class Controlled:
    def __init__(self, base, wires):
        self.base = base
        self.wires = wires


class Powered:
    def __init__(self, base, power):
        self.base = base
        self.power = power


class Adjoint:
    def __init__(self, base):
        self.base = base


class Scaled:
    def __init__(self, base, factor):
        self.base = base
        self.factor = factor


def control(op, wires, zeros):
    return make_controlled(op, [0, *wires], list(zeros))


# Each call makes another list, so that no two of these calls are the same one: the paths through
# four such branches, eight deep, are 65,536.
def make_controlled(op, wires, zeros):
    if isinstance(op, Controlled):
        return control(op.base, [1, *wires], zeros)
    if isinstance(op, Powered):
        return Powered(control(op.base, [2, *wires], zeros), op.power)
    if isinstance(op, Adjoint):
        return Adjoint(control(op.base, [3, *wires], zeros))
    if isinstance(op, Scaled):
        return Scaled(control(op.base, [4, *wires], zeros), op.factor)
    return Controlled(op, wires)


def energy(op, x):
    controlled = control(op, [0, 1], [])

    @jax.jit
    def of_wires(x):
        if x > 0:  #! OAK201 #~ TracerBoolConversionError
            return x * len(controlled.base.base.wires)
        return -x

    return of_wires(x)


energy(eval("Powered(Adjoint('qubit'), 2)"), 1.0)
