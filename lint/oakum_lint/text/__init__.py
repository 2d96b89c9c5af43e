"""What is known of source text without a tree: places, structure, words, edits."""
