# category: clean/leak-attribute
import jax


class Keys:
    def __init__(self, key, stack):
        self.key = key
        self.stack = stack

    def next(self):
        self.key, fresh = jax.random.split(self.key)
        return fresh

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stack.remove(self)


class KeyStack:
    def __init__(self):
        self.stack = []

    def push(self, key):
        keys = Keys(key, stack=self.stack)
        self.stack.append(keys)
        return keys

    def next(self):
        if not self.stack:
            raise LookupError("no keys")
        return self.stack[-1].next()


keys = KeyStack()


def draw(key):
    with keys.push(key):
        return jax.random.uniform(keys.next()) + jax.random.normal(keys.next())


print(draw(jax.random.key(0)))
print(jax.vmap(draw)(jax.random.split(jax.random.key(1), 3)))
