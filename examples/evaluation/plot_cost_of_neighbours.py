"""
The cost of an answer
=====================

The claim: nearest neighbours compare each new image with every stored one, so that an answer costs more the
larger the training set; that of ten perceptrons costs the same (the digits report, section IV).
"""

from time import process_time

import matplotlib.pyplot as plt

from markone import AdaTron, NearestNeighbours
from markone.data import load

digits = load("digits")
X, y = digits.X / 16, digits.y
new, sizes = X[1500:], [100, 200, 400, 800, 1500]


def measured_milliseconds(student, P):
    """CPU time of the answers to all new images, the least of five."""
    student.fit(X[:P], y[:P])
    times = []
    for _ in range(5):
        began = process_time()
        student.predict(new)
        times.append(process_time() - began)
    return 1e3 * min(times)


figure, axes = plt.subplots(figsize=(4.5, 3.2), layout="constrained")
for student, mark in ((NearestNeighbours(k=10, weights="rank"), "o-"), (AdaTron(C=1), "s--")):
    times = [measured_milliseconds(student, P) for P in sizes]
    axes.loglog(sizes, times, mark, label=f"{type(student).__name__}: {times[-1]:.2g} ms")
axes.set(xlabel="training images P", ylabel=f"milliseconds for {len(new)} images")
axes.legend()
# Products of one answer: with each stored image, or with the weights of each class.
assert sizes[-1] * X.shape[1] > 100 * student.coef_.size
