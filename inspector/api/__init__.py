"""The door for machines: keys, posting and reading over HTTP.

door.py      the API itself: which router answers what, and what becomes of errors
keys.py      who may come in: ``Authorization: Bearer pi_…`` and nothing else
faults.py    every error in one shape, translated once
bodies.py    posted bytes, bounded while they stream in
posting.py reading.py sessions.py search.py shares.py   the calls, one module a noun
answers.py   what rows look like from outside
schemas.py   the same, described for the reference
reference.py the reference page, made from the OpenAPI document, offline and without scripts
health.py    whether the server is alive, and whether it is ready
"""
