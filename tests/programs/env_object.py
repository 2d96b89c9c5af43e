# category: leak-attribute
import jax
import jax.numpy as jnp


class Pendulum:
    gravity = 9.81

    def __init__(self, angle):
        self.state = jnp.array([angle, 0.0])

    def step(self, torque):
        angle, speed = self.state  #~ UnexpectedTracerError
        speed = speed + 0.05 * (torque - self.gravity * jnp.sin(angle))
        self.state = jnp.stack([angle + 0.05 * speed, speed])  #! OAK103
        return -(angle**2)

    def rollout(self, torques):
        return jax.lax.map(self.step, torques)


env = Pendulum(0.3)
env.rollout(jnp.zeros(4))
print(env.step(0.0))
