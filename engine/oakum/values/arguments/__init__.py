"""What public functions take: their arguments checked, and errors in the words of their rules."""
