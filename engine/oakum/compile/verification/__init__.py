"""Verification: each run of a compiled program beside its evaluation, the option `oakum_verify`.

The code of a program is written with a call behind each of its steps, and else as ever. What is
called there follows the run: it evaluates the equations that the step is for, of the values that
the steps before have given, and compares. So the first step that goes wrong is the one named, and
errors are not summed up over a program.

`run` carries out a call in memory that is poisoned and has guard zones (`guarded_memory`);
`following` knows where the run is, `iterations` what loops and branches have to do, `reference`
evaluates, and `tolerances` says what may differ from the evaluation and why.
"""
