"""What day it is."""

from datetime import date


def today() -> date:
    """The day on which this is asked."""
    return date.today()
