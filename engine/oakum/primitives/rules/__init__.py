"""Parts shared by the rules of primitives: zero tangents, forms of batching, checks."""
