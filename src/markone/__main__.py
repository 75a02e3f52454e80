"""`python -m markone`, also for MPI: mpiexec -n 65 python -m mpi4py.futures -m markone run capacity."""

from markone.cli import main

# MPI workers import this file too, under another name.
if __name__ == "__main__":
    main()
