# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


class Knob:
    def __init__(self, value, high):
        self.high = high
        self.value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = new if new < self.high else self.high  #! OAK201 #~ TracerBoolConversionError


class Dial:
    def __init__(self, angle):
        self._angle = angle

    def _set(self, angle):
        self._angle = angle % 360

    angle = property(lambda self: self._angle, _set)


@jax.jit
def turn(x):
    dial = Dial(10)
    dial.angle = 370
    if dial.angle < 20:
        dial.angle = x
    knob = Knob(dial.angle, 1.0)
    return knob.value


print(Knob(2.0, 1.0).value)
print(turn(0.5))
