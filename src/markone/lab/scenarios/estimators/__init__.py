"""Any classifier on simulated data: data generator x estimator x measures."""
