# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def controller(gain):
    total = 0.0
    correction = None
    while True:
        error = yield correction
        total += error
        correction = gain * total


def ziegler(setpoint, measured):
    pid = controller(0.5)
    next(pid)
    commands = [pid.send(setpoint - m) for m in measured]
    return jnp.stack(commands), bool(commands[-1])  #! OAK204  #~ TracerBoolConversionError


print(jax.jit(ziegler)(1.0, jnp.arange(3.0)))
