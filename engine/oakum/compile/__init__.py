"""The compiler: programs become native code of the host."""
