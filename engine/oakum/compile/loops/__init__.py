"""The loop IR: nests of loops as data, with a verifier and a text form."""
