"""Which files' frames are left out of tracebacks and of the places of operations."""

from oakum.values import user_frames


def register_exclusion(path: str) -> None:
    """Leaves the frames of a file out of tracebacks and of the places that errors name.

    It is for libraries that call JAX for their users: errors then name the user's line.
    """
    user_frames.exclude(path)
