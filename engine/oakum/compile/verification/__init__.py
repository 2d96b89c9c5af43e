"""Verification: each run of a compiled program is compared with its evaluation, for the option
`oakum_verify`.

The code of a program calls an observer behind each of its steps, and is the same otherwise. The
observer evaluates the step's equations on the values that earlier steps have computed, and
compares. So the first wrong step is named, and errors do not accumulate.

`running` observes a run, `followed` knows where it is, `iterations` what loops and branches have to
do, `reference` what results may be, `tolerances` which of them are free to differ, and
`guarded_memory` holds the memory of a run.
"""
