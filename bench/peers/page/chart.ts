// docs/comparison.svg: how many questions the result of each library answers, a panel for each budget. SVG that reads
// on light and dark pages.
import { isOurs } from "../ours.ts";
import { isBroken } from "../run/jobs.ts";
import type { SessionCell } from "../run/walk.ts";
import { isOverBudget } from "../verdict/comparable.ts";
import { answeredShare } from "./summary-section.ts";

const WIDTH = 900;
const LABEL = 318;
const GAP = 18;
const ROW = 26;
const TOP = 62;
const FIGURE = 40;
const STYLE =
  "text{font:13px system-ui,sans-serif;fill:#57606a}.track{fill:#8b949e;opacity:.15}.ours{fill:#0891b2}.other{fill:#8b949e}.over{fill:none;stroke:#8b949e;stroke-width:1.5;stroke-dasharray:3 2}.name{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#adbac7}}";

export function drawChart(all: readonly SessionCell[]): string {
  const cells = all.filter(({ session }) => session.isProbed);
  const names = [...new Set(cells.map(({ peer }) => peer.name))];
  const shares = [...new Set(cells.map(({ share }) => share))];
  const panel = (WIDTH - LABEL - GAP * shares.length) / Math.max(1, shares.length);
  const height = TOP + names.length * ROW + 34;
  const title = "Questions answered from what is left, mean over sessions";
  const leftOf = (at: number) => LABEL + at * (panel + GAP);
  const heads = shares.map(
    (share, at) => `<text class="name" x="${round(leftOf(at))}" y="50">budget ${Math.round(share * 100)} %</text>`,
  );
  const rows = names.flatMap((name, row) => {
    const y = TOP + row * ROW;
    const bars = shares.flatMap((share, at) => {
      const own = cells.filter((cell) => cell.peer.name === name && cell.share === share);
      return drawBar(own, leftOf(at), y, panel - FIGURE);
    });
    return [`<text${isOurs(name) ? ' class="name"' : ""} x="8" y="${y + 16}">${escaped(name)}</text>`, ...bars];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${title}">`,
    `<style>${STYLE}</style>`,
    `<text class="name" x="8" y="20">${title}</text>`,
    ...heads,
    ...rows,
    `<text x="8" y="${height - 12}">Of 16 a session. A result that is over budget counts as wrong. Dashed: over budget in most sessions.</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function drawBar(cells: readonly SessionCell[], x: number, y: number, width: number): readonly string[] {
  const name = cells[0]?.peer.name ?? "";
  const kept = answeredShare(cells) ?? 0;
  const over = cells.filter(({ compacted }) => !isBroken(compacted) && isOverBudget(compacted)).length;
  const kind = over > cells.length / 2 ? "over" : isOurs(name) ? "ours" : "other";
  return [
    `<rect class="track" x="${round(x)}" y="${y + 4}" width="${round(width)}" height="16"/>`,
    `<rect class="${kind}" x="${round(x)}" y="${y + 4}" width="${round(kept * width)}" height="16"/>`,
    `<text x="${round(x + width + 5)}" y="${y + 16}">${Math.floor(kept * 100)} %</text>`,
  ];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
