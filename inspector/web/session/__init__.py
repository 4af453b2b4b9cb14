"""Pages of sessions: the list, one session, its shared prefix."""
