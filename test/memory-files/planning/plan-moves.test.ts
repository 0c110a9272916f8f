import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PlanRequest } from "../../../src/memory-files/options.ts";
import { verifies } from "../../requirements/verifies.ts";
import { newWorkspace, toGbk } from "../workspace/workspace-folder.ts";
import { applyEdits, fileOf, isEdit, planOf } from "./planned.ts";

const BODY = "Something was done and it went well enough to be written down at some length.\n".repeat(3);
const entry = (date: string, body = BODY) => `## ${date}\n\n${body}\n`;
const dayOf = (number: number) => new Date(Date.UTC(2030, 0, number)).toISOString().slice(0, 10);
/** Ten days apart. */
const day = (number: number) => dayOf(10 * number - 9);
/** What is last of a log never moves. */
const LAST = "## 2031-02-15\n\nLast of all.\n\n";
const MOVE: Omit<PlanRequest, "root"> = { levers: ["move"], maxMemoryKb: 1 };
const both = { ...MOVE, maxMemoryKb: 0.7, aggressive: true };

/** Headings that move, and the plan. */
async function moved(files: Readonly<Record<string, string | Uint8Array>>, request = MOVE) {
  const root = newWorkspace(files);
  const { plan } = await planOf(root, request);
  const change = plan.changes.filter(isEdit).find(({ kind }) => kind === "move_sections");
  return { root, plan, change, headings: change?.ranges.map(({ heading }) => heading) ?? [] };
}

describe("sections that move", () => {
  it("are the oldest of a log, never the newest, as many as bring the file under its limit", async () => {
    verifies("field/overflow-drops-the-newest");
    const marked = new Set([5, 20]);
    const entries = Array.from({ length: 300 }, (_, index) => {
      const mark = marked.has(index) ? "<!-- keep -->\n" : "";
      return entry(
        dayOf(index + 1),
        `${mark}Entry ${index} was written down${index === 299 ? ", and corrects entry 11" : ""}. ${BODY}`,
      );
    });
    const memory = `# Memory\n\nWhat stands here stays.\n\n${entries.join("")}`;
    const { root, plan, change, headings } = await moved(
      { "MEMORY.md": memory },
      { levers: ["move"], maxMemoryKb: 25 },
    );
    const expected = Array.from({ length: 300 }, (_, index) => index).filter((index) => !marked.has(index));
    expect(headings).toEqual(expected.slice(0, headings.length).map((index) => dayOf(index + 1)));
    expect(plan).toMatchObject({ over_limit_bytes: 0, memory_size_after: change?.bytes_after });
    expect(plan.held.map(({ code }) => code)).not.toContain("still_over_limit");
    applyEdits(root, plan);
    const result = readFileSync(join(root, "MEMORY.md"), "utf8");
    expect(Buffer.byteLength(result)).toBeLessThanOrEqual(25 * 1024);
    expect(Buffer.byteLength(result)).toBeGreaterThan(24.5 * 1024);
    for (const index of [5, 20, 299]) expect(result).toContain(entries[index]?.trim());
    expect(result.match(/^> Moved on .*$/gm)).toHaveLength(3);
    expect((await planOf(root, { levers: ["move"], maxMemoryKb: 25 })).plan.changes).toEqual([]);
  });

  it("are told apart from each section that stays, which says why", async () => {
    const kept = `${entry("2030-01-01", "<!-- keep -->\nThe first.")}${entry("2030-01-02", "- [ ] call Kim")}`;
    const memory = `# Memory\n\n## Preferences\n\nTea.\n\n## Log\n\n${kept}${entry("2030-01-03")}${entry("2030-01-04")}${LAST}`;
    const root = newWorkspace({ "MEMORY.md": memory });
    const { analysis } = await planOf(root, { levers: ["move"], maxMemoryKb: 0.6 });
    expect(analysis.sections.map(({ heading, stays_because }) => [heading, stays_because])).toEqual([
      ["Preferences", "lasting"],
      ["2030-01-01", "marked"],
      ["2030-01-02", "open"],
      ["2030-01-03", undefined],
      ["2030-01-04", "enough"],
      ["2031-02-15", "recent"],
    ]);
    const within = await planOf(root, { maxMemoryKb: 5 });
    expect(within.analysis.sections.every(({ stays_because }) => stays_because === undefined)).toBe(true);
  });

  it("leave one pointer for neighbours, where they stood, and nothing else changes", async () => {
    const head = "# Memory\n\n## Who\n\nThe user is called Kim.\n\n## Log\n\nWhat was done:\n- a list\n";
    const memory = `${head}### 2030-03-01\n${BODY}### 2030-03-02\n${BODY}### 2030-03-03\n${BODY}\n---\n\n${LAST}## Tools\n\nA hammer.`;
    const { root, plan, change } = await moved({ "MEMORY.md": memory }, { levers: ["move"], maxMemoryKb: 0.4 });
    expect(change).toMatchObject({ apply: true, moved_to: "memory/archive/MEMORY.2031-02-20.md" });
    applyEdits(root, plan);
    const pointer =
      "> Moved on 2031-02-20 to memory/archive/MEMORY.2031-02-20.md: 2030-03-01, 2030-03-02, 2030-03-03 (3 sections)\n> · Something was done and it went well enough to be written down at some length.";
    expect(readFileSync(join(root, "MEMORY.md"), "utf8")).toBe(
      `${head}\n${pointer}\n\n---\n\n${LAST}## Tools\n\nA hammer.`,
    );
    expect((await planOf(root, { levers: ["move"], maxMemoryKb: 0.4 })).plan.changes).toEqual([]);
  });

  it("leave a pointer that stays when its neighbours move later", async () => {
    const memory = `# Memory\n\n${LAST}${[1, 2, 3, 4, 5, 6].map((number) => entry(day(number))).join("")}`;
    const { root, plan } = await moved({ "MEMORY.md": memory });
    applyEdits(root, plan);
    const first = readFileSync(join(root, "MEMORY.md"), "utf8").match(/^> Moved on .*\n> · .*$/m)?.[0] ?? "none";
    const next = await planOf(root, { levers: ["move"], maxMemoryKb: 0.3 });
    applyEdits(root, next.plan);
    const text = readFileSync(join(root, "MEMORY.md"), "utf8");
    expect(text).toContain(`\n\n${first}\n\n`);
    expect(text.match(/^> Moved on .*$/gm)).toHaveLength(2);
    expect((await planOf(root, { levers: ["move"], maxMemoryKb: 0.3 })).plan.changes).toEqual([]);
  });

  it("keep line ends and the missing end of the file", async () => {
    const memory = `# Memory\n\n${LAST}${[1, 2, 3, 4, 5]
      .map((number) => entry(day(number)))
      .join("")
      .trimEnd()}`.replaceAll("\n", "\r\n");
    const { root, plan } = await moved({ "MEMORY.md": memory }, { levers: ["move"], maxMemoryKb: 0.2 });
    applyEdits(root, plan);
    const text = readFileSync(join(root, "MEMORY.md"), "utf8");
    expect(text).toMatch(
      /^# Memory\r\n\r\n## 2031-02-15\r\n\r\nLast of all\.\r\n\r\n> Moved on [^\r\n]*\(5 sections\)\r\n> · Something was done[^\r\n]*$/,
    );
  });

  it("are the oldest of them", async () => {
    const memory = `# Memory\n\n${LAST}${["04 Plumber", "02 Gardener", "01 Harvester", "03 Carpenter"].map((name) => entry(`2030-03-${name}`)).join("")}`;
    const { headings } = await moved({ "MEMORY.md": memory }, { levers: ["move"], maxMemoryKb: 0.75 });
    expect(headings).toEqual(["2030-03-02 Gardener", "2030-03-01 Harvester"]);
  });

  it("are only proposed without the lever", async () => {
    const memory = `# Memory\n\n${[1, 2, 3, 4, 5, 6].map((number) => entry(day(number))).join("")}${LAST}`;
    const { plan, change } = await moved({ "MEMORY.md": memory }, { maxMemoryKb: 1 });
    expect(change).toMatchObject({ apply: false });
    expect(change?.reason).toMatch(
      /^The file is over 1 KB, and these entries of its log are the oldest: without them it would have [\d,]+ bytes\.$/,
    );
    expect(plan).toMatchObject({ memory_size_after: memory.length, over_limit_bytes: memory.length - 1024 });
    expect(plan.held).toMatchObject([{ file: "MEMORY.md", code: "still_over_limit" }]);
    expect(plan.held[0]?.message).toMatch(
      /^The file is [\d,]+ bytes over 1 KB\. Moving \d entries of its log would take [\d,]+ bytes out\. The largest/,
    );
  });

  it("and lines that leave by tidying do not overlap", async () => {
    const twice = `${BODY}\n- said twice here\n- said twice here\n`;
    const memory = `# Memory\n\n## Who\n\n- a friend of Kim\n- a friend of Kim\n\n\n${[1, 2, 3, 4, 5, 6].map((number) => entry(day(number), twice)).join("\n")}`;
    const { root, plan } = await moved({ "MEMORY.md": memory }, { ...both });
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["tidy", "move_sections"]);
    const ranges = plan.changes.filter(isEdit).flatMap((change) => change.ranges);
    ranges.sort((left, right) => left.byte_from - right.byte_from);
    for (const [index, range] of ranges.entries())
      expect(range.byte_from).toBeGreaterThanOrEqual(ranges[index - 1]?.byte_to ?? 0);
    expect(plan.changes[1]?.bytes_before).toBe(plan.changes[0]?.bytes_after);
    applyEdits(root, plan);
    const size = readFileSync(join(root, "MEMORY.md")).length;
    expect(plan.memory_size_after).toBe(size);
    expect(plan.totals).toMatchObject({ changes: 2, files: 1, bytes_before: memory.length, bytes_after: size });
    expect((await planOf(root, { ...both })).plan.changes).toEqual([]);
  });
});

describe("sections that never move", () => {
  const log = [1, 2, 3, 4].map((number) => entry(day(number))).join("") + LAST;
  const request = { levers: ["move"], maxMemoryKb: 0.05 } as const;

  it.each([
    ["marked", `## 2030-05-05\n\n<!-- keep -->\n${BODY}`],
    ["with an open task", `## 2030-05-05\n\n- [x] done\n- [ ] to be done\n\n${BODY}`],
    ["with a rule", `## 2030-05-05\n\nNever push to the main branch.\n${BODY}`],
    ["with a rule in Chinese", `## 2030-05-05\n\n禁止直接推送到主分支。\n${BODY}`],
    ["with a rule in German", `## 2030-05-05\n\nNiemals direkt deployen.\n${BODY}`],
    ["of today", `## 2031-02-20\n\n${BODY}`],
    ["with a day to come", `## 2030-05-05\n\nThe certificate ends on 2031-06-01.\n${BODY}`],
    ["without a date", `## Preferences\n\n${BODY}`],
    ["with a date that says when it was written", `## Database setup (2030-05-05)\n\n${BODY}`],
    ["with a date in its text", `## Database setup\n\nDone on 2030-05-05. ${BODY}`],
    ["of the first level", `# 2030-05-05\n\n${BODY}`],
    [
      "with a link that another needs",
      `## 2030-05-05\n\n[wiki]: https://example.com/w\n${BODY}\n## Links\n\nSee [wiki].\n`,
    ],
  ])("are those %s", async (_, section) => {
    const { headings } = await moved({ "MEMORY.md": `# Memory\n\n${log}${section}` }, request);
    expect(headings).toEqual([1, 2, 3, 4].map(day));
  });

  it("are those that a mark between them may mean", async () => {
    const marked = `<!-- keep: needed -->\n\n## 2030-05-05\n\n${BODY}`;
    const before = [1, 2, 3, 4].map((number) => entry(day(number))).join("");
    const { headings } = await moved({ "MEMORY.md": `# Memory\n\n${LAST}${before}${marked}` }, request);
    expect(headings).toEqual([1, 2, 3].map(day));
  });

  it("are those that a removal from a note rests on, and what moves stays in the note", async () => {
    const held = "The gateway listens on port 8080 behind nginx, and backups run nightly from the replica.\n";
    const memory = `# Memory\n\n## 2030-01-09\n\n${held}\n${LAST}`;
    const section = `## 2030-01-09\n\n${held}`;
    const files = { "MEMORY.md": memory, "memory/2030-01-09.md": `# Day\n\n${section}\n## Own\n\nAnother matter.\n` };
    const proposed = await moved(files, { maxMemoryKb: 0.05 });
    expect(proposed.plan.changes).toMatchObject([{ kind: "remove_sections", apply: true }]);
    const { root, plan, headings } = await moved(files, request);
    expect(headings).toContain("2030-01-09");
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["move_sections"]);
    expect(plan.held).toContainEqual(expect.objectContaining({ section: "2030-01-09", code: "moves" }));
    applyEdits(root, plan);
    expect(readFileSync(join(root, "memory/2030-01-09.md"), "utf8")).toContain(section);
    expect((await planOf(root, request)).plan.changes).toEqual([]);
  });

  it("are those of a file into which nothing can be put", async () => {
    const memory = toGbk(
      `# 记忆\n\n${[1, 2, 3].map((number) => entry(day(number), "做了很多事情，都写下来了。\n".repeat(20))).join("")}`,
    );
    const { plan, change } = await moved({ "MEMORY.md": memory });
    expect(change).toBeUndefined();
    expect(plan.held.map(({ code }) => code)).toEqual(["still_over_limit", "not_utf8"]);
  });

  it("are all, where the file is not over its limit", async () => {
    const { plan } = await moved({ "MEMORY.md": `# Memory\n\n${log}` }, { levers: ["move"] });
    expect(plan).toMatchObject({ changes: [], held: [], over_limit_bytes: 0 });
  });
});

describe("a file that cannot be brought under its limit", () => {
  it("is brought as near as it goes, and the plan says what is left", async () => {
    const large = `## Preferences\n\n${"The user likes it so. ".repeat(200)}\n`;
    const { plan } = await moved({ "MEMORY.md": `# Memory\n\n${LAST}${large}\n${entry(day(1))}` });
    expect(plan.over_limit_bytes).toBe(plan.memory_size_after - 1024);
    expect(plan.held).toMatchObject([{ code: "still_over_limit" }]);
    expect(plan.held[0]?.message).toBe(
      `The file is ${plan.over_limit_bytes.toLocaleString("en-US")} bytes over 1 KB. The last 7 days of its log never move. The largest sections that stay: Preferences (4,418 bytes, not kept by day); 2031-02-15 (29 bytes, of its last days); Memory (10 bytes, not kept by day).`,
    );
  });

  it("keeps them on later days too, when the pointer of others stands among them", async () => {
    const memory = `# Memory\n\n${[3, 2, 1].map((number) => entry(day(number))).join("")}`;
    const { root, plan, headings } = await moved({ "MEMORY.md": memory }, { levers: ["move"], maxMemoryKb: 0.05 });
    expect(headings).toEqual([day(2), day(1)]);
    applyEdits(root, plan);
    expect((await planOf(root, { levers: ["move"], maxMemoryKb: 0.05 })).plan.changes).toEqual([]);
  });

  it("keeps the last seven days of its log, counted from its newest day that is not to come", async () => {
    const days = Array.from({ length: 12 }, (_, index) => dayOf(index + 1));
    const plans = "## 2030-01-01 Plans\n\nThe contract ends on 2032-01-01.\n\n";
    const { plan, headings } = await moved({
      "MEMORY.md": `# Memory\n\n${days.map((date) => entry(date)).join("")}${plans}`,
    });
    expect(headings).toEqual(days.slice(0, 5));
    expect(plan.held[0]?.message).toContain(" bytes over 1 KB. The last 7 days of its log never move. ");
    const enough = await moved(
      { "MEMORY.md": `# Memory\n\n${days.map((date) => entry(date)).join("")}` },
      {
        maxMemoryKb: 2.6,
      },
    );
    expect(enough.plan.held[0]?.message).not.toContain("7 days");
  });
});

describe("pointers", () => {
  it("carry each decision of what moves, for it holds on, and else the first line of the latest day", async () => {
    const decided = [
      "- **Decision:** the gateway keeps <one> queue",
      "- We decided to drop the old cache",
      "- 设计决策: 规则优先",
      "- the gateway was measured",
      "- decisions:",
    ].join("\n");
    const old = entry("2030-03-01", `${decided}\n${BODY}`) + entry("2030-03-02");
    const memory = `# Memory\n\n## Log\n\n${old.replaceAll("\n## ", "\n### ").replace(/^## /, "### ")}### 2031-02-15\n\nLast of all.\n`;
    const { root, plan } = await moved({ "MEMORY.md": memory }, { levers: ["move"], maxMemoryKb: 0.3 });
    applyEdits(root, plan);
    const text = readFileSync(join(root, "MEMORY.md"), "utf8");
    expect(text.match(/^> · .*$/gm)).toEqual([
      "> · **Decision:** the gateway keeps ‹one> queue (2030-03-01)",
      "> · We decided to drop the old cache (2030-03-01)",
      "> · 设计决策: 规则优先 (2030-03-01)",
    ]);
    expect((await planOf(root, { levers: ["move"], maxMemoryKb: 0.3 })).plan.changes).toEqual([]);
  });

  it("are quotes of their own, whatever stands around them", async () => {
    const around = ["> a quote\n", "- an item\n", "a paragraph\n", "| a |\n|---|\n| 1 |\n", "```\ncode\n```\n"];
    for (const before of around) {
      const memory = `# Memory\n\n${LAST}${before}## 2030-01-01\n${BODY}\nOwn title\n===\n\nmine\n`;
      const { root, plan } = await moved({ "MEMORY.md": memory }, { levers: ["move"], maxMemoryKb: 0.05 });
      applyEdits(root, plan);
      const { outline, lines } = fileOf(readFileSync(join(root, "MEMORY.md")));
      const at = lines.findIndex(({ text }) => text.startsWith("> Moved"));
      expect(outline.containers, before).toContainEqual({ kind: "quote", from: at, to: at + 1, parent: undefined });
    }
  });
});
