"""Reader of text and Parquet tables as typed columns that keep the original text where it matters.

`dialect` detects the format of a text file, `text` and `arrow` yield batches of its rows, `columns`
distinguishes numbers from texts batch by batch, `cell_table` joins the columns. `markone.data.load` and
`markone.tables` both use the result.
"""
