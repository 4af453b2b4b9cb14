"""What may leave the house: links, exactly what each shows, and what is masked in it.

share, token = links.create(project, scope="turn", session=…, turn=…, mask=("secrets",), by=user)
share = links.open_link(token, Visit(address, agent))      # or LinkGone, TooManyMisses
old, new = scope.comparison_of(share)                      # or OutOfScope
shown = reading.read_turn(share, row)                      # the turn and its reading, cut and masked
"""
