# category: traced-shape
import jax
import jax.numpy as jnp


class Options:
    depth = 2

    def __init__(self, **given):
        self.__dict__.update(given)
        self.__dict__["scale"] = 2.0


class Spec:
    def __init__(self, num_classes, dtype):
        self.num_classes = num_classes
        self.dtype = dtype


class Visitor:
    def visit(self, kind, x):
        return getattr(self, f"visit_{kind.removeprefix('x')}")(x)

    def visit_half(self, x):
        return float(x)  #! OAK204

    def visit_double(self, x):
        return x * 2


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __format__(self, spec):
        return "$" + format(self.amount, spec or ".2f")  #! OAK217


@jax.jit
def stacked(x, depth):
    options = Options(depth=depth)
    for _ in range(options.depth):  #! OAK205
        x = jnp.sin(x) * options.scale
    return x


@jax.jit
def encoded(labels, count):
    spec = Spec(count, jnp.float32)
    return jax.nn.one_hot(labels, **vars(spec))  #! OAK212 #~ ConcretizationTypeError


def as_number(value):
    if hasattr(value, "item"):
        return value.item()  #! OAK204
    return float(value)


@jax.jit
def scaled(x):
    return x * as_number(x)


@jax.jit
def priced(x):
    return x * len(f"{Money(x):.3f}")


@jax.jit
def visited(x):
    return Visitor().visit("double", x) + Visitor().visit("xhalf", x)


print(encoded(jnp.arange(3), 3))
print(stacked(jnp.ones(2), 3), scaled(2.0), visited(1.0), priced(2.0))
