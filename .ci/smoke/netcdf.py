"""A NetCDF file can be written and read."""

import xarray as xr

xr.Dataset({"kappa": ("mu", [0.1, 0.2])}).to_netcdf("small.nc", engine="h5netcdf")
assert xr.load_dataset("small.nc", engine="h5netcdf")["kappa"].size == 2
