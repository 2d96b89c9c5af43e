"""Summaries: what a call returned and did, to be used again where it would do the same.

Invariants:
- Objects that a call gets, or finds in what it reads, are identified by their parts in it, not by
  who they are: a summary holds for other objects of the same kind in which the call reads the same.
  So are the activations whose names it sees: those of its own closure, and of functions it gets.
- What a call made and returned is not shared by two calls: each has objects of its own.
- Two parts are one object in both calls, or in neither. What belongs to a class is the same in
  both.
- What a facet identifies an array by, as a random key, is such a part. Another one may have it, if
  nothing around the call tells the two apart: guests of the moment `recalled` are asked.
"""
