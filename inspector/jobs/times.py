"""How long jobs may take, in seconds. Each limit lies inside the next, and a system check says so."""

SOFT_LIMIT = 35
"""A task is asked to end …"""
HARD_LIMIT = 40
"""… and is ended."""
LEASE = 50
"""Then its sessions may be taken over: within a minute of a kill, the sweep included …"""
VISIBILITY = 3600
"""… and only long after that does the broker think that the task was lost."""
SWEEP = 5
"""How often what no hint told of is looked for, in team mode."""
HOURLY = 3600
"""How often retention and expiry are looked at."""
EAGER = 10
"""How long a task goes on with its sessions before it leaves them to the next one."""
