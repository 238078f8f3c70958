// The pages inside a notebook's page are loaded when they come near the window.
"use strict";
{
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      const script = target.nextElementSibling;
      script.after(Object.assign(document.createElement("script"), { src: script.dataset.later }));
    }
  }, { rootMargin: "50%" });
  for (const script of document.querySelectorAll("script[data-later]")) near.observe(script.previousElementSibling);
}
