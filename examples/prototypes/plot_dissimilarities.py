"""
Prototypes from dissimilarities
===============================

RelationalGLVQ needs only dissimilarities, here the edit distance of words. The two classes are their rhymes.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone.lvq import RelationalGLVQ


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, z in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != z))
    return row[-1]


words = [*(f"{x}ark" for x in "bpdlmh"), *(f"{x}ight" for x in "nlmrfs")]
y = np.repeat(["-ark", "-ight"], 6)
D = np.array([[edit_distance(a, b) for b in words] for a in words], dtype=float)
model = RelationalGLVQ(metric="precomputed").fit(D, y)
fig, ax = plt.subplots(layout="constrained")
image = ax.imshow(D, cmap="cividis")
ax.set_xticks(range(12), words, rotation=90)
ax.set_yticks(range(12), words)
fig.colorbar(image, label="letters to change")

# %%
# The claim: with one prototype for each rhyme all words are classified correctly.
assert model.score(D, y) == 1
