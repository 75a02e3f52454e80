"""Experiments: declared, run anywhere, stored, judged and reported.

What is asked: `scenario` <- `scenarios` <- `schema` <- `validate` <- `load`.
How it is computed: `tasks` <- `store` <- `runner`.
How it is shown: `statistics` <- `chi_square` <- `agreement`, `claims`, `plots` <- `report`.
"""
