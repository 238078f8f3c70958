// The page on the first page has the colours that its reader chose for the site.
"use strict";
for (const frame of document.querySelectorAll(".stage iframe")) {
  const follow = () => {
    const inside = frame.contentDocument?.documentElement; // a file has no access to another
    if (inside) inside.dataset.theme = document.body.dataset.theme.replace("auto", "");
  };
  frame.addEventListener("load", follow);
  new MutationObserver(follow).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  follow();
}
