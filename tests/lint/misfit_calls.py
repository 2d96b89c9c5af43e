"""Sampled operations on arrays of known shapes and dtypes: half of them fail, half of them fit."""

PRELUDE = """\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

vector, longer = jnp.ones(3), jnp.ones(4)
matrix, other, square = jnp.ones((3, 4)), jnp.ones((4, 5)), jnp.ones((3, 3))
images, filters = jnp.ones((1, 8, 8, 3)), jnp.ones((3, 3, 3, 6))
scalar, counts, small = jnp.float32(1.0), jnp.arange(3), jnp.ones(3, jnp.bfloat16)
mask, waves = vector > 0, jnp.ones(3, complex)
host = np.ones((3, 4))
LAYOUT = ("NHWC", "HWIO", "NHWC")
"""

CALLS = """\
vector + longer
vector + matrix.T
vector + matrix[:, 0]
matrix - vector[:, None]
matrix * square
matrix @ square
matrix @ other @ jnp.ones(5)
jnp.dot(vector, longer)
jnp.einsum("ij,jk->ik", matrix, square)
jnp.einsum("ij,kj->ik", matrix, longer)
jnp.einsum("ij,jk->ik", matrix, other)
matrix.reshape(5, 2)
matrix.reshape(-1, 6) @ jnp.ones(6)
jnp.reshape(matrix, (5, -1))
jnp.concatenate([matrix, square])
jnp.concatenate([matrix, square], axis=1)
jnp.concatenate([scalar, scalar])
jnp.stack([vector, longer])
jnp.vstack([matrix, longer])
jnp.split(longer, 3)
jnp.array_split(longer, 3)
jnp.transpose(matrix, (0, 2))
matrix.transpose(1, 0) @ vector
jnp.squeeze(matrix, 0)
jnp.expand_dims(vector, 3)
jnp.sum(vector, axis=1)
matrix.mean(axis=(0, 2))
jnp.cumsum(vector, axis=1)
jnp.flip(vector, axis=1)
jnp.roll(matrix, 1, axis=1) + matrix
jax.nn.softmax(vector, axis=1)
jnp.where(mask, longer, 0.0)
jnp.where(mask[:, None], matrix, 0.0)
jnp.take(matrix, counts, axis=2)
jnp.take_along_axis(matrix, counts, axis=0)
jnp.broadcast_to(vector, (4,))
jnp.clip(vector, longer, 2.0)
jnp.clip(waves, 0, 1)
jnp.allclose(vector, longer)
jnp.pad(vector, ((0, 0), (1, 1)))
jnp.triu(vector)
jnp.diag(images)
jnp.tensordot(matrix, other, axes=3)
jnp.linalg.inv(matrix)
jnp.linalg.solve(square, longer)
jnp.linalg.solve(square, jnp.ones((3, 2)))
jnp.linalg.norm(vector, axis=1)
lax.dynamic_slice(vector, (0,), (4,))
lax.dynamic_slice(matrix, (0,), (2, 2))
lax.dynamic_slice(vector, (1.0,), (2,))
lax.dynamic_slice_in_dim(matrix, 0, 5, axis=0)
lax.dynamic_update_slice(vector, longer, (0,))
lax.dynamic_update_slice(matrix, jnp.ones((2, 4)), (0, 0))
lax.slice_in_dim(vector, 0, 5)
lax.conv_general_dilated(images, filters, (1, 1), "SAME")
lax.conv_general_dilated(images, filters, (1, 1), "SAME", dimension_numbers=LAYOUT)
lax.dot_general(matrix, other, (((2,), (0,)), ((), ())))
lax.dot_general(matrix, other, (((1,), (0,)), ((), ())))
lax.add(vector, longer)
lax.add(vector, counts)
lax.add(vector, 1.0)
lax.exp(counts)
lax.select(mask, vector, longer)
lax.clamp(longer, vector, vector)
lax.top_k(vector, 5)
lax.cumsum(vector, axis=1)
lax.rev(vector, (1,))
matrix[0, 0, 0]
matrix[..., None, 0]
vector[vector]
vector[1.0]
matrix[mask] + longer
matrix[longer > 0]
matrix[counts, jnp.arange(4)]
matrix.at[0].set(vector)
matrix.at[:, 0].set(vector)
matrix.at[0, 0, 0].add(1.0)
-mask
~mask
mask - mask
mask - 1
1 - mask
mask * mask
~vector
vector & 1
counts & 1
counts << 1.0
waves // waves
waves < waves
jnp.floor(waves)
jnp.negative(mask)
jnp.left_shift(vector, 1)
jnp.left_shift(mask, 1)
jnp.sum(None)
jnp.add(vector, "text")
jax.vmap(jnp.dot)(matrix, square)
jax.vmap(jnp.dot)(matrix, jnp.ones((3, 4)))
jax.vmap(jnp.dot, in_axes=(0, None))(matrix, vector)
jax.vmap(jnp.sum, in_axes=1)(vector)
jax.vmap(jnp.sum, in_axes=1)(matrix) + vector
jax.vmap(jnp.sum)(scalar)
lax.scan(lambda c, x: (c, x), 0.0, (vector, longer))
lax.scan(lambda c, x: (c, x), 0.0, vector, length=4)
lax.scan(lambda c, x: (c + x, x), jnp.zeros(3), matrix)
lax.scan(lambda c, x: (c + x, x), jnp.zeros(4), matrix)[1] + vector
lax.scan(lambda c, x: (c + x, x), jnp.zeros(4), matrix)[1] + matrix
lax.map(jnp.sum, scalar)
lax.map(jnp.sum, matrix) + vector
lax.cond(vector, lambda: 1, lambda: 2)
lax.cond(mask[0], lambda: 1, lambda: 2)
jax.jit(lambda x, y: x + y)(vector, longer)
jax.grad(lambda x: jnp.sum(x @ other))(vector)
jax.grad(lambda x: jnp.sum(x @ other))(longer)
jax.eval_shape(lambda x: x @ matrix, jax.ShapeDtypeStruct((4,), "float32"))
jnp.zeros(jax.eval_shape(lambda x: x @ other, matrix).shape) + matrix
jnp.asarray(host.reshape(4, 3)) @ longer
jnp.asarray(host.T) @ vector
jnp.asarray(np.random.normal(size=(2, 5))) + matrix
jnp.asarray(np.random.default_rng(0).random((3, 1))) + matrix
float(vector)
float(jnp.sum(vector))
bool(vector > 0)
bool(jnp.any(vector > 0))
list(scalar)
[row + longer for row in matrix]
[row + vector for row in matrix]
"""
