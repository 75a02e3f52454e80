"""`python -m markone`, also for MPI: mpiexec -n 65 python -m mpi4py.futures -m markone run capacity."""

from markone.cli import main

main()
