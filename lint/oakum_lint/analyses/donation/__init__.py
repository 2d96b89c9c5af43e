"""What a call of a compiled function does to the arrays that it gets to use up."""
