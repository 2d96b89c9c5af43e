# category: shape-mismatch
"""A method that nobody calls hands a key to an object that asks for names."""

import jax


class Keys:
    def __init__(self, key):
        self.key = key

    @classmethod
    def part_of_seed(cls, seed):
        keys = cls(jax.random.PRNGKey(seed))
        return keys(jax.random.PRNGKey(seed))

    def __call__(self, names=None):
        if not names:  #! OAK501 #~ ValueError
            self.key, part = jax.random.split(self.key)
            return part
        self.key, *parts = jax.random.split(self.key, len(names) + 1)
        return dict(zip(names, parts, strict=True))  #? OAK216


print(Keys.part_of_seed(0))
