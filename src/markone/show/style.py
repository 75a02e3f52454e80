"""The colours, widths and matplotlib settings that all figures of reports share."""

from pathlib import Path

# For `matplotlib.rc_context(fname=STYLE)`.
STYLE = Path(__file__).with_name("style.mplstyle")
# Okabe and Ito's colours: distinguishable for colour-blind readers.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"]
GREY = "0.35"
SINGLE, DOUBLE = 3.4, 7.0  # inches: one and two columns of a journal
