// A question covers the cells that answer it until it is answered; then they are open.
"use strict";
for (const folded of document.querySelectorAll(".celltag_answer details.hide")) folded.open = true;
