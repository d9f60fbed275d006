"""The rules of the two games: settings, auction, scoring of one hand, and the end of a round. Pure."""
