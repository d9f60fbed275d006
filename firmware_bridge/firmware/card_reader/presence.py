"""Which cards lie at a seat, from looks that now and then miss one."""

MISSES = 4
"""Looks in a row that must miss a card before it counts as taken away."""


class Presence:
    """The cards at one seat, in the order they were laid."""

    def __init__(self) -> None:
        self.cards: list[str] = []
        self._missed: dict[str, int] = {}

    def look(self, seen: list[str]) -> tuple[list[str], list[str]]:
        """Take what one look has seen; the cards that came and those that went. Came counts at the first look."""
        came = [uid for uid in seen if uid not in self._missed]
        for uid in seen:
            self._missed[uid] = 0
        self.cards += came
        gone = []
        for uid in self.cards:
            if uid not in seen:
                self._missed[uid] += 1
                if self._missed[uid] >= MISSES:
                    gone.append(uid)
        for uid in gone:
            self.cards.remove(uid)
            del self._missed[uid]
        return came, gone
