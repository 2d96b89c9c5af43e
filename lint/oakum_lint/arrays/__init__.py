"""What is known of arrays: the results of operations, what does not fit, trees of them."""
