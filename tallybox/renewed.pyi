from dataclasses import replace as renewed

__all__ = ["renewed"]
