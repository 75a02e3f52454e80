"""Many fits of one table, on one core or many, by the lab's pool; a run that was killed goes on."""
