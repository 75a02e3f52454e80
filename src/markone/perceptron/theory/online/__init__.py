"""Learning from a stream of fresh examples: one file per rule, all with the same functions.

`overlap(alpha, noise=0)`, `norm(alpha, noise=0)`, `generalization_error(alpha, noise=0)`, together
`trajectory`. Exact for N -> infinity; `markone.perceptron.theory.markov_chain` is exact at any N.
"""
