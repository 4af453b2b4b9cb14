"""Geometry of the drawings: pure functions from numbers to shapes. Templates draw them as SVG."""
