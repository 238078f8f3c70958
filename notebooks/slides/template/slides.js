"use strict";
{
  // A telephone held upright gets upright slides.
  const upright = matchMedia("(orientation: portrait)");
  const size = () => (upright.matches ? { width: 720, height: 1280 } : { width: 1280, height: 720 });

  Reveal.initialize({
    ...size(), margin: 0.03, center: false, hash: true, transition: "none", slideNumber: "c/t", scrollActivationWidth: 0,
    plugins: [RevealNotes],
  });
  upright.addEventListener("change", () => Reveal.configure(size()));

  // A moving picture begins when its slide comes, not when the page was opened.
  Reveal.on("slidechanged", ({ currentSlide }) => {
    for (const picture of currentSlide.querySelectorAll("img")) {
      const source = picture.src;
      picture.src = "";
      picture.src = source;
    }
  });
}
