"""Settings of the property tests: no deadline, since machines that run them are busy."""

from hypothesis import settings

settings.register_profile("turns", deadline=None)
settings.load_profile("turns")
