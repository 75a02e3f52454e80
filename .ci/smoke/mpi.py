"""MPI can be imported."""

from mpi4py import MPI

assert MPI.COMM_WORLD.size >= 1
