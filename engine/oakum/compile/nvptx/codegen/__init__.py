"""The language of kernels: LLVM text for threads, blocks and shared memory."""
