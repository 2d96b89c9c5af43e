"""Plans: what a program does in order, and the memory of its values."""
