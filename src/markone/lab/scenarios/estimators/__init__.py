"""Any classifier in any world: data generator x estimator x measures."""
