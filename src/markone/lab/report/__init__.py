"""One page that says what was asked, what came out, whether theory agrees, and by which code."""
