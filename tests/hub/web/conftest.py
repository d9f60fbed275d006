"""The rooms of the hub's own tests serve the dashboard's tests too, whichever of them are run."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
