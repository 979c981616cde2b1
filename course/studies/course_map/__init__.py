"""What note 00 shows: the map of the course, the paths through it, and where its topics are treated."""
