"""``tallybox doctor``: what is wrong with a hub or a box, part by part, each with what to do. It changes nothing.

A check takes what it looks at as an argument and answers findings; ``examination`` puts them in order.
"""
