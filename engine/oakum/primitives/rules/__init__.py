"""What the rules of primitives share: zero tangents, and forms of batching."""
