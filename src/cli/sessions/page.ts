// A session as one HTML page: no request to any host, light and dark, tools folded, a search over what was said.

import { printable } from "../../text/printable.ts";

interface PageTurn {
  readonly number: number;
  readonly tokens: number;
  readonly entries: readonly {
    readonly kind: string;
    readonly title: string;
    readonly text: string;
    readonly isError?: boolean;
  }[];
}

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 1rem }
header { position: sticky; top: 0; background: Canvas; padding: .5rem 0; display: flex; gap: 1rem; align-items: baseline }
h1 { font-size: 1.1rem; margin: 0; flex: 1; overflow-wrap: anywhere } h2 { font-size: .95rem; margin: 2rem 0 .5rem }
h2 small, summary small { font-weight: normal; opacity: .65 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: inherit }
details pre { font: .85rem/1.45 ui-monospace, monospace; max-height: 30rem; overflow: auto; padding: .5rem }
article, details { border-left: 3px solid var(--line); padding: .1rem .8rem; margin: .5rem 0 }
article.user { border-color: #3b82f6 } article.summary, .compaction { border-color: #a855f7 } .host { opacity: .7 } .failed { border-color: #dc2626 }
summary { cursor: pointer; font: .85rem ui-monospace, monospace; overflow-wrap: anywhere }
[hidden] { display: none }
`;

/** Finds words in what is there already; what it is given is never made into markup. */
const SCRIPT = `
const box = document.querySelector("input");
const count = document.querySelector("output");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const entry of document.querySelectorAll("article, details")) {
    const text = entry.textContent.toLowerCase();
    entry.hidden = !words.every((word) => text.includes(word));
    found += entry.hidden ? 0 : 1;
  }
  for (const turn of document.querySelectorAll("section")) turn.hidden = !turn.querySelector(":is(article, details):not([hidden])");
  count.textContent = words.length === 0 ? "" : found + " found";
});
`;

export function renderPage({ title, turns }: { readonly title: string; readonly turns: readonly PageTurn[] }): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<header><h1>${escaped(title)}</h1><output></output><input type="search" placeholder="Search" aria-label="Search"></header>
<main>
${turns.map(renderTurn).join("\n")}
</main>
<script>${SCRIPT}</script>
</html>
`;
}

function renderTurn({ number, tokens, entries }: PageTurn): string {
  const shown = entries.map(({ kind, title, text, isError }) =>
    kind === "tool" || kind === "compaction"
      ? `<details class="${isError === true ? "failed" : kind}"><summary>${escaped(title)} <small>${text.length.toLocaleString("en-US")} characters</small></summary><pre>${escaped(text)}</pre></details>`
      : `<article class="${kind}"><pre>${escaped(text)}</pre></article>`,
  );
  return `<section><h2>Turn ${number} <small>${tokens.toLocaleString("en-US")} tokens</small></h2>\n${shown.join("\n")}\n</section>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
}
