"""Scalar losses; plain floats work too."""


def squared(prediction, target):
    return 0.5 * (prediction - target) ** 2


def huber(prediction, target, delta=1.0):
    error = abs(prediction - target)
    if error <= delta:  #! OAK201  #~ TracerBoolConversionError
        return 0.5 * error**2
    return delta * (error - 0.5 * delta)


LOSSES = {f.__name__: f for f in (squared, huber)}
