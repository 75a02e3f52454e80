"""Two classes in the plane, drawn and learned."""
