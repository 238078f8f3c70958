// What a program prints and shows, in their order.

const MOST_CHARACTERS = 200_000; // of one piece of printed text; its beginning goes first

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
export { filled };

export const theme = () => {
  const chosen = document.documentElement.dataset.theme ?? document.body.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "";
};

export class Output {
  // `words` are those of the page: picture, frame, full, save_page, line.
  constructor(element, words) {
    this.element = element;
    this.words = words;
    this.clear();
  }

  clear() {
    this.element.replaceChildren();
    this.element.classList.remove("empty");
    this.waiting = [];
  }

  get isEmpty() {
    return !this.element.hasChildNodes() && !this.waiting.length;
  }

  // A program may print a thousand times in a moment: the page is changed once for each of its pictures.
  print(text, isError = false) {
    if (!this.waiting.length) requestAnimationFrame(() => this.flush());
    const last = this.waiting.at(-1);
    if (last?.isError === isError) last.text += text;
    else this.waiting.push({ text, isError });
  }

  flush() {
    const atEnd = this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < 40;
    for (const { text, isError } of this.waiting) {
      const kind = isError ? "printed error" : "printed";
      let last = this.element.lastElementChild;
      if (last?.className !== kind) {
        last = document.createElement("pre");
        last.className = kind;
        this.element.append(last);
      }
      last.append(text);
      if (last.textContent.length > 2 * MOST_CHARACTERS) last.textContent = `… ${last.textContent.slice(-MOST_CHARACTERS)}`;
    }
    this.waiting = [];
    if (atEnd) this.element.scrollTop = this.element.scrollHeight;
  }

  note(text, kind = "note") {
    this.flush();
    const line = document.createElement("p");
    line.className = kind;
    line.textContent = text;
    this.element.append(line);
  }

  // The message of an error, a button that leads to its line, and the traceback, folded.
  fail(text, line, goTo) {
    const lines = text.trimEnd().split("\n");
    const last = lines.findLastIndex((line) => line.startsWith("  "));
    this.print(`${lines.slice(last + 1).join("\n") || lines.at(-1)}\n`, true);
    this.flush();
    if (line) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "to-line";
      button.textContent = filled(this.words.line, { line });
      button.onclick = () => goTo(line);
      this.element.append(button);
    }
    const whole = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = this.words.traceback;
    const trace = document.createElement("pre");
    trace.className = "printed";
    trace.textContent = text;
    whole.append(summary, trace);
    this.element.append(whole);
    this.element.scrollTop = this.element.scrollHeight;
  }

  // A bundle of MIME types, as a notebook's display gets it.
  show(bundle) {
    this.flush();
    const page = bundle["text/html"], svg = bundle["image/svg+xml"], png = bundle["image/png"];
    if (page !== undefined && (svg === undefined || page.includes("<script"))) this.element.append(this.frame(page));
    else if (svg !== undefined) this.element.append(this.picture(`data:image/svg+xml,${encodeURIComponent(svg)}`, nameOf(svg)));
    else if (png !== undefined) this.element.append(this.picture(`data:image/png;base64,${png.trim()}`));
    else this.print(`${bundle["text/plain"]}\n`);
  }

  picture(address, name) {
    const image = new Image();
    image.src = address;
    image.alt = name || this.words.picture;
    image.className = "shown";
    image.onload = () => { // a picture shrinks by a third at most: a large one scrolls, so that it can be read
      if (image.naturalWidth > 1.5 * this.element.clientWidth) image.style.maxWidth = "none";
    };
    return image;
  }

  // A page gets a frame of its own, which runs its scripts and reaches nothing of this page.
  frame(page) {
    const place = document.createElement("div");
    place.className = "framed";
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts allow-forms";
    frame.allow = "fullscreen";
    frame.title = /<title>([^<]*)<\/title>/.exec(page)?.[1] || this.words.frame;
    frame.className = "shown";
    frame.srcdoc = inFrame(page);
    if (/<html[^>]* class="embedded"/.test(page)) frame.style.height = `${highest(this.element.closest(".output"))}px`;
    const tools = document.createElement("p");
    tools.className = "tools";
    const full = document.createElement("button");
    full.type = "button";
    full.textContent = this.words.full;
    full.onclick = () => frame.requestFullscreen();
    const save = document.createElement("a");
    save.textContent = this.words.save_page;
    save.download = "page.html";
    save.href = "#";
    save.onclick = () => {
      save.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    };
    tools.append(full, save);
    place.append(frame, tools);
    return place;
  }
}

const nameOf = (svg) => /aria-label="([^"]*)"/.exec(svg)?.[1].replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

// The frame takes the page's theme, and tells its height: this page cannot look into it.
const INSIDE = `<script>
addEventListener("message", ({ source, data }) => {
  if (source === parent) document.documentElement.dataset.theme = data.theme;
});
new ResizeObserver(() => parent.postMessage({ height: document.body.scrollHeight }, "*")).observe(document.body);
</scr${""}ipt>
<style>/* The graph of a step page and its buttons are seen at once, however low the frame is. */
@media (min-width: 46rem) { :root.embedded { --stage: clamp(16rem, calc(100vh - 11.5rem), 27rem); } }</style>`;
// Nothing that a program shows is sent anywhere, or asked for.
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'">`;
const PLAIN = `<style>
:root { color-scheme: light dark; } :root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; padding: 1px; font: 15px/1.5 system-ui, sans-serif; }
</style>`;

function inFrame(page) {
  const whole = /^\s*<!doctype/i.test(page) ? page : `<!DOCTYPE html><html><head><meta charset="utf-8">${PLAIN}</head><body>${page}</body></html>`;
  const themed = whole.replace(/<html\b/i, `<html data-theme="${theme()}"`);
  return (/<head\b[^>]*>/i.test(themed) ? themed.replace(/<head\b[^>]*>/i, `$&${POLICY}`) : POLICY + themed) + INSIDE;
}

const frames = () => [...document.querySelectorAll("iframe.shown")];

addEventListener("message", ({ source, data }) => {
  const frame = frames().find((frame) => frame.contentWindow === source);
  if (frame && Number.isFinite(data?.height)) frame.style.height = `${Math.min(data.height + 4, highest(frame.closest(".output")))}px`;
});

// A frame in a part of the page that scrolls is as high as this part, so that only one of the two scrolls.
function highest(pane) {
  const scrolls = pane && getComputedStyle(pane).flexGrow !== "0";
  return scrolls ? Math.max(pane.clientHeight - 56, 480) : Math.max(600, 0.95 * innerHeight);
}

export function tellTheme() {
  for (const frame of frames()) frame.contentWindow.postMessage({ theme: theme() }, "*");
}
