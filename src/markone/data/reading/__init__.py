"""The one reader of tables: text and Parquet become columns that keep what was written where it matters.

`dialect` finds out how a text file is written, `text` and `parquet` hand out batches of its rows, `columns`
tells numbers from texts batch by batch, `cell_table` puts the columns together. `markone.data.load` and
`markone.tables` are two views of the result.
"""
