"""The function of a whole program, which carries out the steps of its plan."""
