# category: traced-static-argument
import jax
import jax.numpy as jnp
import optax


def make_trainer(model, optimizer):
    def loss(params, batch, classes):
        logits = model(params, batch["x"])
        targets = jax.nn.one_hot(batch["y"], num_classes=classes)  #! OAK212  #~ ConcretizationTypeError
        return optax.softmax_cross_entropy(logits, targets).mean()

    grad = jax.value_and_grad(loss)

    def step(carry, batch):
        params, state, classes = carry
        value, g = grad(params, batch, classes)
        updates, state = optimizer.update(g, state, params)
        return (optax.apply_updates(params, updates), state, classes), value

    return lambda carry, batches: jax.lax.scan(step, carry, batches)


optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))
params = jnp.zeros((2, 3))
batches = {"x": jnp.ones((4, 5, 2)), "y": jnp.zeros((4, 5), int)}
train = make_trainer(lambda p, x: x @ p, optimizer)
print(train((params, optimizer.init(params), 3), batches))
