// What a digest says, and that nothing of the notes comes alive in it.
import { describe, expect, it } from "vitest";
import { isHeading } from "../../../src/text/markdown/outline.ts";
import { scanMarkdown } from "../../../src/text/markdown/scan-markdown.ts";
import { count, digestText, FEBRUARY, noteOf, notesOf } from "./months.ts";

const linesUnder = (text: string, title: string): readonly string[] =>
  (text.split(`\n## ${title}\n`)[1] ?? "").split("\n\n")[0]?.trimEnd().split("\n") ?? [];

describe("a digest", () => {
  it("opens with its month and with where the originals are", async () => {
    const text = await digestText(notesOf(FEBRUARY));
    expect(text.split("\n").slice(0, 3)).toEqual([
      "# 2031-02: digest of 4 notes",
      "",
      "Originals: memory/archive/2031-02/ (`agent-compact memory-files restore WORKSPACE` lists how to bring them back). What stands in brackets names a note.",
    ]);
    expect(text.endsWith("\n")).toBe(true);
  });

  it("has a line for each note, by date, and calls notes of one day by their names", async () => {
    const text = await digestText(notesOf([...FEBRUARY, "2031-02-18-visit"]));
    const labels = linesUnder(text, "Notes").map((line) => /^- \[([^\]]+)\] \S/.exec(line)?.[1]);
    expect(labels.toSorted()).toEqual([...FEBRUARY, "2031-02-18-visit"]);
    expect(labels.slice(0, 3)).toEqual(FEBRUARY.slice(0, 3));
    expect(text).toContain(
      "- [2031-02-03] The search index: The change is in src/search/build-index.ts (commit d81f0c4), version 2.3.0.",
    );
  });

  it("calls a note by what is its own, not by the form that all are written in", async () => {
    const text = await digestText(
      Object.fromEntries(
        FEBRUARY.map((date, at) => [
          `memory/${date}.md`,
          noteOf(date).replace(`# ${date}`, `# Daily report ${at} - ${date} 0${at}:30`),
        ]),
      ),
    );
    expect(linesUnder(text, "Notes")[1]).toMatch(/^- \[2031-02-04\] The invoice export/);
    expect(text).not.toMatch(/Daily report/);
  });

  it("keeps names, choices and rules", async () => {
    const rule = "\nNever deploy the login page on a Friday.\n\n## Rules\n\n- Ask before a table is dropped\n";
    const text = await digestText(notesOf(FEBRUARY, { "2031-02-05": rule }));
    for (const name of ["a7c91e2", "src/export/invoices.ts", "scripts/backup.sh", "2.18.0"])
      expect(text).toContain(name);
    expect(linesUnder(text, "Decisions and rules")).toEqual([
      "- [2031-02-03] The search index: We decided to rebuild the search index because run 93 failed twice.",
      "- [2031-02-04] The invoice export: We decided to rebuild the invoice export because run 124 failed twice.",
      "- [2031-02-05] The login page: We decided to rebuild the login page because run 155 failed twice.",
      "- [2031-02-05] Never deploy the login page on a Friday.",
      "- [2031-02-05] Ask before a table is dropped",
      "- [2031-02-18] The nightly backup: We decided to rebuild the nightly backup because run 558 failed twice.",
    ]);
  });

  it("is a third of its notes, and 3,000 tokens at most besides the open tasks", async () => {
    const month = Array.from({ length: 28 }, (_, day) => `2031-02-${String(day + 1).padStart(2, "0")}`);
    const long = Object.fromEntries(
      month.map((date) => [date, "\n- Something else that was done there, 12 times\n".repeat(60)]),
    );
    for (const [files, most] of [
      [notesOf(FEBRUARY), 0.36],
      [notesOf(month), 0.36],
      [notesOf(month, long), 0.2],
    ] as const) {
      const size = Object.values(files).reduce((sum, text) => sum + count(String(text)), 0);
      const tokens = count(await digestText(files));
      expect(tokens).toBeLessThan(size * most);
      expect(tokens).toBeLessThan(3050);
    }
  });

  it("has room for more than a heading of each of many notes", async () => {
    const month = Array.from({ length: 28 }, (_, day) => `2031-02-${String(day + 1).padStart(2, "0")}`);
    const more = "\n- Something else that was done there, 12 times\n".repeat(60);
    const files = Object.fromEntries(
      month.flatMap((date) =>
        ["", "-evening", "-night"].map((part) => [`memory/${date}${part}.md`, noteOf(date, more)]),
      ),
    );
    const tokens = count(await digestText(files));
    expect(tokens).toBeGreaterThan(3050);
    expect(tokens).toBeLessThan(6050);
  });

  it("passes what it says through redaction", async () => {
    const files = notesOf(FEBRUARY, { "2031-02-05": "\n- [ ] rotate hunter2 soon\n\nThe password is hunter2 now.\n" });
    const text = await digestText(files, { redact: (text) => text.replaceAll("hunter2", "<REDACTED>") });
    expect(text).not.toContain("hunter2");
    expect(text).toContain("- [ ] rotate <REDACTED> soon (2031-02-05)");
  });

  it("points from a rotated note to the whole of it", async () => {
    const stub =
      "# Rotated Daily Note\n\nOriginal file: 2031-02-05.md\nOriginal size: 40000 bytes\nArchived copy: memory/archive/2031-02-05.full.md\n\n## Summary Preview\n\n> # 2031-02-05\n> The queue was drained by hand.\n";
    const text = await digestText({ ...notesOf(FEBRUARY), "memory/2031-02-05.md": stub });
    expect(text).toContain("- [2031-02-05] Rotated, whole in memory/archive/2031-02-05.full.md: The queue was drained");
  });

  it("says nothing of front matter, comments and dates", async () => {
    const text = await digestText(
      Object.fromEntries(
        FEBRUARY.map((date) => [
          `memory/${date}.md`,
          `---\nmood: Sunny777\n---\n${noteOf(date)}\n<!-- Hidden888 -->\n\nWritten: ${date} 09:30 AM\n`,
        ]),
      ),
    );
    expect(text).not.toMatch(/Sunny777|Hidden888|Written/);
  });
});

describe("open tasks", () => {
  it("all stand there word for word, once, with their dates, whatever they take", async () => {
    const many = Array.from({ length: 80 }, (_, at) => `- [ ] ask office ${at} for \`form-${at}.pdf\`\n`).join("");
    const text = await digestText(
      notesOf([...FEBRUARY, "2031-02-20", "2031-02-21", "2031-02-22", "2031-02-23", "2031-02-24"], {
        "2031-02-03":
          "\n- [ ] pay **the** bill\n  and keep the receipt\n  - [ ] a sub-task\n* [ ] starred\n1. [ ] numbered\n> - [ ] quoted\n",
        "2031-02-04":
          "\n- [ ] pay **the** bill\n  and keep the receipt\n- [ ] close the account\n- [x] open the account\n",
        "2031-02-05": "\n- [x] close the account\n\n```\n- [ ] in code\n```\n",
        "2031-02-18": many,
      }),
    );
    const tasks = linesUnder(text, "Open tasks");
    expect(tasks.slice(0, 7)).toEqual([
      "- [ ] pay **the** bill",
      "  and keep the receipt (2031-02-03 to 2031-02-04)",
      "- [ ] a sub-task (2031-02-03)",
      "- [ ] starred (2031-02-03)",
      "- [ ] numbered (2031-02-03)",
      "- [ ] quoted (2031-02-03)",
      "- [ ] close the account (2031-02-04, checked off 2031-02-05)",
    ]);
    expect(tasks.slice(7)).toEqual(
      Array.from({ length: 80 }, (_, at) => `- [ ] ask office ${at} for \`form-${at}.pdf\` (2031-02-18)`),
    );
    expect(text).not.toContain("in code (");
  });

  it("that say the same are one, and those that the memory says are done are left out", async () => {
    const tasks = (...all: readonly string[]) => all.map((task) => `- [ ] ${task}`).join("\n");
    const text = await digestText({
      "memory/2031-02-03.md": noteOf("2031-02-03", tasks("Water the **plants**", "Paint the fence", "Mend the gate")),
      "memory/2031-02-18.md": noteOf("2031-02-18", tasks("water the plants.", "Do not paint the fence", "Sow 3 beds")),
      "MEMORY.md": "# Memory\n\n- [x] ~~Mend the gate~~ ✅ on a Monday\n- [X] Paint the fence\n- [ ] Sow 3 beds\n",
    });
    expect(linesUnder(text, "Open tasks")).toEqual([
      "(2 more are done, as the memory says.)",
      "- [ ] Water the **plants** (2031-02-03 to 2031-02-18)",
      "- [ ] Do not paint the fence (2031-02-18)",
      "- [ ] Sow 3 beds (2031-02-18)",
    ]);
  });

  it("that are taken up again are open", async () => {
    const text = await digestText(
      notesOf(FEBRUARY, {
        "2031-02-03": "\n- [ ] water the plants\n",
        "2031-02-04": "\n- [x] water the plants\n",
        "2031-02-18": "\n- [ ] water the plants\n",
      }),
    );
    expect(linesUnder(text, "Open tasks")).toEqual(["- [ ] water the plants (2031-02-03 to 2031-02-18)"]);
  });
});

describe("what notes hold", () => {
  const HOSTILE = [
    "- # Heading 41 in an item",
    "- > quoted 42 in an item",
    "- ``` 43",
    "- <!-- 44 never closed",
    "- <details> 45 swallows the rest",
    "- <script>alert(46)</script> is quoted here",
    "- | 47 | 48 |",
    "- --- 49",
    "- [label]: https://example.com/50 'a definition'",
    "- [ ] task with <!-- 51 never closed",
    "- [ ] task with <textarea> 52",
    "- [ ] ordinary `<div>` 53 and Map<string, number> and <user@example.com>",
    "- text 54\u2028# line separator heading\u2029```",
    "We decided to use <!-- 55 -- for all, because <style> 56 is # not > a | heading",
    "```text",
    "never closed 57",
    "## Heading 58",
  ].join("\n");

  it("does not become structure of the digest", async () => {
    const text = await digestText(notesOf(FEBRUARY, { "2031-02-04": `\n${HOSTILE}`, "2031-02-18": `\n${HOSTILE}` }));
    const { blocks, containers } = scanMarkdown(text.split("\n"));
    const headings = blocks.filter(isHeading).map(({ level, text }) => `${level} ${text}`);
    expect(headings).toEqual([
      "1 2031-02: digest of 4 notes",
      "2 Open tasks",
      "2 Decisions and rules",
      "2 Next steps",
      "2 Notes",
    ]);
    expect(new Set(blocks.map(({ kind }) => kind))).toEqual(new Set(["heading", "paragraph"]));
    expect(containers.filter(({ kind }) => kind === "quote")).toEqual([]);
    expect(text).not.toMatch(/(?<!\\)<(?:details|script|style|textarea)|(?<!\\)<!--/);
    expect(text).toContain(
      "- [ ] ordinary `<div>` 53 and Map<string, number> and <user@example.com> (2031-02-04 to 2031-02-18)",
    );
  });
});
