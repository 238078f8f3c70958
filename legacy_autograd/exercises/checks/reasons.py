"""Two mistakes that several exercises have in common."""

OVERWRITTEN = "the second gradient that arrives takes the place of the first; add them instead"
IN_PLACE = "a gradient was written into while other code still had to read it: use add, not add_"
