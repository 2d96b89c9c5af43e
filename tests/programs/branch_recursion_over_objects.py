# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


class Const:
    def __init__(self, value):
        self.value = value


class Log:
    def __init__(self, argument):
        self.argument = argument


class Add:
    def __init__(self, left, right):
        self.left, self.right = left, right


class Evaluator:
    def visit(self, node):
        return getattr(self, "visit_" + type(node).__name__.lower())(node)

    def visit_add(self, node):
        return self.visit(node.left) + self.visit(node.right)

    def visit_log(self, node):
        value = self.visit(node.argument)
        if value <= 0:  #! OAK201 #~ TracerBoolConversionError
            raise ValueError("no logarithm")
        return jnp.log(value)

    def visit_const(self, node):
        return node.value


@jax.jit
def evaluate(x):
    return Evaluator().visit(Add(Const(1.0), Add(Const(2.0), Log(Const(x)))))


print(Evaluator().visit(Add(Const(1.0), Log(Const(2.0)))))
print(evaluate(2.0))
