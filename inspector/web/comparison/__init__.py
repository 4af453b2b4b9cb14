"""Pages that compare two turns."""
