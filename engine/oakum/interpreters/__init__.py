"""The transformations themselves: traces that differentiate, split, transpose and batch programs.

They loop over operations and look the rules up; nothing here knows a particular primitive.
"""
