"""A turn's pages."""
