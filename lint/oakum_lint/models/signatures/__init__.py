"""What functions of libraries take, and which names libraries have: a table for each."""
