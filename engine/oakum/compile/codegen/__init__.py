"""What back ends share that write LLVM text for nests."""
