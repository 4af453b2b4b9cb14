#!/usr/bin/env python
"""Operators' commands: ``manage.py up``, ``record``, ``read``, ``demo`` …"""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "inspector.settings")
    execute_from_command_line(sys.argv)
