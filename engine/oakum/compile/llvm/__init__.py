"""LLVM's text: values, arithmetic, blocks and functions."""
