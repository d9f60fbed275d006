"""Documents on paper and as files, drawn from the tournament's values: score sheets, lists, CSV, and a bundle of all.

Nothing here reads a ledger, a clock or a request: the same values give the same bytes.
"""
