"""What is the CPU's alone: schedules, loops as LLVM text, and kernels."""
