"""A class: students predict on their phones, the lecturer's page shows how many chose what."""
