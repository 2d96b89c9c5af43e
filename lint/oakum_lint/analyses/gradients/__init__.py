"""Derivatives that are zero, NaN, or not to be had."""
