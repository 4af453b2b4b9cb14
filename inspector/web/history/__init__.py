"""Pages about where a section's text comes from and how it changed."""
