"""Fit one sklearn-lvq model in its own environment; save its parameters and its time.

python sklearn_lvq_fit.py MODEL MAX_ITER DATA.npz RESULT.npz
"""

import sys
import time

import numpy as np
import sklearn_lvq

name, max_iter, source, target = sys.argv[1:]
data = np.load(source)
model = getattr(sklearn_lvq, name)(max_iter=int(max_iter), random_state=0)
start = time.process_time()
model.fit(data["X"], data["y"])
seconds = time.process_time() - start
omega = getattr(model, "omega_", np.zeros((0, 0)))
np.savez(target, seconds=seconds, W=model.w_, c=model.c_w_, Omega=omega)
