"""What each transform traces, and what comes out of it."""

import pytest
from small_programs import assert_reported

STATIC = {
    "argnums": """
        def f(x, n):
            y = jnp.zeros(n)
            return float(x) + y  #! OAK204

        jax.jit(f, static_argnums=1)(1.0, 3)
    """,
    "negative argnums": """
        def f(x, n):
            return jnp.zeros(n) + x

        jax.jit(f, static_argnums=-1)(1.0, 3)
    """,
    "argnums given by keyword in the call": """
        def f(x, n):
            return jnp.zeros(n) + x

        jax.jit(f, static_argnums=(1,))(1.0, n=3)
    """,
    "argnames given by position in the call": """
        def f(x, n):
            return jnp.zeros(n) + x

        jax.jit(f, static_argnames=["n"])(1.0, 3)
    """,
    "argnames of a keyword-only parameter": """
        @functools.partial(jax.jit, static_argnames=("n",))
        def f(x, *, n):
            return jnp.zeros(n) + x

        f(1.0, n=3)
    """,
    "options that older versions took by position": """
        def build(fn, shardings, static, inputs):
            fn = jax.jit(fn, static_argnums=static)
            fn = jax.jit(fn, shardings, None, static)
            return fn(*inputs)

        def make(seed, n):
            return jnp.zeros(n) + seed

        build(make, None, (1,), (1.0, 3))
    """,
    "not static": """
        @jax.jit
        def f(x, n):
            return jnp.zeros(n) + x  #! OAK211

        f(1.0, 3)
    """,
    "argnums not known": """
        from settings import STATIC

        @functools.partial(jax.jit, static_argnums=STATIC)
        def f(x, n):
            return jnp.zeros(n) + x
    """,
    "argnums from a module constant": """
        STATIC = (1,)

        @functools.partial(jax.jit, static_argnums=STATIC)
        def f(x, n):
            return jnp.zeros(n) + x
    """,
    "method: self is not counted once bound": """
        class Model:
            def f(self, x, n):
                return jnp.zeros(n) + x

        model = Model()
        jax.jit(model.f, static_argnums=1)(1.0, 3)
    """,
    "method: self counts in the decorator": """
        class Model:
            @functools.partial(jax.jit, static_argnums=(0, 2))
            def f(self, x, n):
                return jnp.zeros(n) + x

        Model().f(1.0, 3)
    """,
    "tracer given for a static parameter": """
        @functools.partial(jax.jit, static_argnums=1)
        def f(x, n):
            return jnp.zeros(n) + x

        @jax.jit
        def g(x, n):
            return f(x, n)  #! OAK212
    """,
}

BATCHING = {
    "vmap hides the value": """
        def f(x):
            if x > 0:  #! OAK201
                return x
            return -x

        jax.vmap(f)(jnp.ones(3))
    """,
    "in_axes None is not traced": """
        def f(x, n):
            if n > 0:
                return x
            return -x

        jax.vmap(f, in_axes=(0, None))(jnp.ones(3), 2)
    """,
    "in_axes as a list": """
        def f(x, n):
            if n > 0:
                return x
            return int(x)  #! OAK204

        jax.vmap(f, in_axes=[0, None])(jnp.ones(3), -2)
    """,
    "in_axes of a dict is not guessed": """
        def f(p):
            if p["n"] > 0:
                return p["x"]
            return -p["x"]

        jax.vmap(f, in_axes=({"x": 0, "n": None},))({"x": jnp.ones(3), "n": 2})
    """,
    "vmap takes an axis off": """
        def f(x):
            return jnp.zeros(x.shape[0])

        jax.vmap(f)(jnp.ones((3, 4)))
    """,
    "vmap of grad": """
        def loss(w):
            if w > 0:  #! OAK201
                return w
            return -w

        jax.vmap(jax.grad(loss))(jnp.ones(3))
    """,
}

CONTROL_FLOW = {
    "scan body": """
        def body(carry, x):
            if x > 0:  #! OAK201
                return carry, x
            return carry + x, x

        lax.scan(body, 0.0, jnp.ones(3))
    """,
    "scan closes over Python values": """
        def run(x, n):
            def body(carry, row):
                if n > 2:
                    return carry + row, row
                return carry, row

            return lax.scan(body, 0.0, x)

        run(jnp.ones(3), 4)
    """,
    "scan carry makes a counter a tracer": """
        def body(carry, x):
            n, total = carry
            return (n + 1, total + jnp.zeros(n)), None  #! OAK211

        lax.scan(body, (0, 0.0), None, length=3)
    """,
    "result of scan outside a trace is concrete": """
        carry, ys = lax.scan(lambda c, x: (c + x, x), 0.0, jnp.ones(3))
        if carry > 0:
            print(float(ys[0]))
    """,
    "result of scan inside a trace is a tracer": """
        @jax.jit
        def f(x):
            carry, ys = lax.scan(lambda c, row: (c + row, row), 0.0, x)
            if carry > 0:  #! OAK201
                return ys
            return -ys
    """,
    "while_loop condition and body": """
        def condition(state):
            return bool(state < 10)  #! OAK204

        def body(state):
            return state + 1

        lax.while_loop(condition, body, 0)
    """,
    "result of while_loop inside a trace": """
        @jax.jit
        def f(x):
            n = lax.while_loop(lambda s: s < 3, lambda s: s + 1, 0)
            return jnp.zeros(n)  #! OAK211
    """,
    "fori_loop index": """
        layers = [1.0, 2.0]

        def body(i, x):
            return x * layers[i]  #! OAK206

        lax.fori_loop(0, 2, body, jnp.ones(()))
    """,
    "cond runs both branches": """
        @jax.jit
        def f(x):
            return lax.cond(x > 0, lambda y: float(y), lambda y: y + int(y), x)  #! OAK204
    """,
    "cond result": """
        @jax.jit
        def f(x):
            y = lax.cond(x > 0, lambda v: v, lambda v: -v, x)
            while y < 3:  #! OAK202
                y = y + 1
            return y
    """,
    "switch": """
        @jax.jit
        def f(i, x):
            def zero(v):
                return v

            def one(v):
                assert v > 0  #! OAK201
                return v

            return lax.switch(i, [zero, one], x)
    """,
    "lax.map": """
        lax.map(lambda x: int(x), jnp.ones(3))  #! OAK204
    """,
}

DERIVATIVES = {
    "grad alone is concrete": """
        def loss(w):
            if w > 0:
                return w
            return -w

        jax.grad(loss)(1.0)
    """,
    "grad under jit is not": """
        def loss(w):
            if w > 0:  #! OAK201
                return w
            return -w

        @jax.jit
        def step(w):
            return w - jax.grad(loss)(w)
    """,
    "argnums of grad": """
        def loss(w, table):
            return w * np.asarray(table).sum()

        jax.grad(loss)(1.0, [1.0, 2.0])
    """,
    "numpy on the differentiated argument": """
        def loss(w):
            return np.sum(np.asarray(w))  #! OAK208

        jax.grad(loss)(jnp.ones(3))
    """,
    "value_and_grad gives a pair": """
        @jax.jit
        def step(w):
            value, gradient = jax.value_and_grad(lambda v: v * v)(w)
            if value > 0:  #! OAK201
                return gradient
            return w
    """,
    "has_aux": """
        @jax.jit
        def step(w):
            gradient, (n, aux) = jax.grad(lambda v: (v * v, (3, v)), has_aux=True)(w)
            return gradient, float(aux)  #! OAK204
    """,
    "custom_vjp rules run where it is differentiated": """
        @jax.custom_vjp
        def f(x):
            return x

        def forward(x):
            return f(x), x

        def backward(saved, cotangent):
            if saved > 0:  #! OAK201
                return (cotangent,)
            return (-cotangent,)

        f.defvjp(forward, backward)
        jax.jit(jax.grad(f))(1.0)
    """,
    "custom_vjp nondiff_argnums are static": """
        @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
        def f(x, n):
            return x

        def forward(x, n):
            return f(x, n), x

        def backward(n, saved, cotangent):
            if n > 2:
                return (cotangent,)
            return (cotangent * saved,)

        f.defvjp(forward, backward)
        jax.jit(jax.grad(lambda x: f(x, 3)))(1.0)
    """,
    "custom_jvp": """
        @jax.custom_jvp
        def f(x):
            return x

        @f.defjvp
        def f_jvp(primals, tangents):
            (x,), (dx,) = primals, tangents
            return f(x), dx * int(x)  #! OAK204

        jax.jit(jax.grad(f))(1.0)
    """,
    "a rule of custom_jvp gets defaults too": """
        @jax.custom_jvp
        def norm(x, eps=1e-6):
            return jnp.sqrt(jnp.sum(x * x) + eps)

        @norm.defjvp
        def norm_jvp(primals, tangents):
            x, eps = primals
            dx, _ = tangents
            y = norm(x, eps)
            if eps > 0:
                y = y + eps
            if jnp.sum(dx) > 0:  #! OAK201
                y = -y
            return y, jnp.sum(x * dx) / y

        jax.grad(norm)(jnp.ones(3))
    """,
    "numbers of Python without an axis in a tree": """
        import equinox

        def row(x):
            return jnp.sum(x), {"n": 3, "x": x}

        @jax.jit
        def f(rows):
            _, found = jax.vmap(row, out_axes=(0, {"n": None, "x": 1}))(rows)
            if found["n"] > 2:
                rows = -rows
            if found["x"].sum() > 2:  #! OAK201
                rows = -rows
            _, found = equinox.filter_vmap(row)(rows)
            if found["n"] > 2:
                rows = -rows
            return rows

        f(jnp.ones((2, 3)))
    """,
    "vjp gives a function": """
        @jax.jit
        def step(w):
            value, pull = jax.vjp(lambda v: v * v, w)
            (gradient,) = pull(value)
            return float(gradient)  #! OAK204
    """,
    "by what a decorator from elsewhere has made of a function": """
        from autofd import function

        @function
        def density(r):
            return jnp.sum(r)

        jax.grad(lambda rho: rho.energy(1.0))(density)

        def plain(r):
            return jnp.sum(r)

        jax.grad(lambda rho: rho(1.0))(plain)  #! OAK601
    """,
    "jvp": """
        @jax.jit
        def step(w):
            value, tangent = jax.jvp(lambda v: v * v, (w,), (w,))
            return int(tangent)  #! OAK204
    """,
    "checkpoint": """
        @jax.checkpoint
        def block(x):
            if x > 0:  #! OAK201
                return x
            return -x

        @jax.jit
        def f(x):
            return block(x)
    """,
}

DONATION: dict[str, str] = {
    # JAX raises JaxRuntimeError at each marked line.
    "donated twice by one call": """
        exchange = jax.jit(lambda a, b: (a + b, a - b), donate_argnums=(0, 1))
        params = jnp.ones(3)
        exchange(params, params)  #! OAK701
    """,
    "donated and read in one call": """
        class Chain:
            state = jnp.ones(8)

        chain = Chain()
        step = jax.jit(lambda state, anchor: 0.9 * state + anchor, donate_argnames="state")
        chain.state = step(anchor=chain.state, state=chain.state)  #! OAK701
        step(chain.state, anchor=chain.state.copy())
    """,
    "nothing takes the memory": """
        total = jax.jit(lambda a, b: jnp.sum(a * b), donate_argnums=0)  #! OAK704
        x = jnp.ones(3)
        total(x, x)
    """,
}

ALL = {**STATIC, **BATCHING, **CONTROL_FLOW, **DERIVATIVES, **DONATION}


@pytest.mark.parametrize("name", list(ALL))
def test_transforms_trace_what_jax_traces(name: str) -> None:
    """A user is told of tracers where JAX makes them, and of static values never."""
    assert_reported(ALL[name])
