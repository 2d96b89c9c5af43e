# category: list-index-by-tracer
import jax
import jax.numpy as jnp

ALPHABET = "ACGT"
MASSES = {"A": 331.2, "C": 307.2, "G": 347.2, "T": 322.2}


def mass_of(code):
    return MASSES[ALPHABET[code]]  #! OAK206 28 #~ TracerIntegerConversionError


def sequence_mass(codes):
    return sum(mass_of(c) for c in codes)


codes = jnp.array([0, 3, 1])
print(sequence_mass([0, 3, 1]))
print(jax.jit(sequence_mass)(codes))
