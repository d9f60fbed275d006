"""Benchmarks, one module each with ``arguments`` and ``run``; ``tallybox bench NAME`` runs them."""
