"""The same frozen value with some fields changed, for the large values of which every event makes new ones.

``dataclasses.replace`` looks at every field of the class each time, and writes each through the guard that keeps a
value frozen: for a table with its 26 fields that takes forty times as long as msgspec, which copies all at once.
To the checker the two are the same function (``renewed.pyi``), so names and types of what is changed are looked at.
"""

from msgspec.structs import replace as renewed

__all__ = ["renewed"]
