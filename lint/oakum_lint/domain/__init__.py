"""The abstract domain:
values, their store, frames and traces, and the events that rules hear of.
"""
