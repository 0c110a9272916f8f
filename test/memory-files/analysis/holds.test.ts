import { describe, expect, it } from "vitest";
import { hasRelativeDate } from "../../../src/language/relative-days.ts";
import { isInUse } from "../../../src/memory-files/dates.ts";

import { verifies } from "../../requirements/verifies.ts";
import { analyze, compare, found } from "./sample-workspace.ts";

const FACT = "The nightly job copies each table into cold storage before anybody reads mail.";
const OTHER = "Every invoice waits in the outbox until two accountants have signed it off.";

describe("a section that the memory holds is held back", () => {
  it("before the first heading, whatever another heading is called", async () => {
    const analysis = await compare(`${FACT}\n`, `${FACT}\n\n## header\n\n${OTHER}\n`);
    expect(analysis.cross_file_issues).toMatchObject([
      { section: "header", line_from: 1, line_to: 2, removable: false, held_because: "no_heading_of_its_own" },
    ]);
  });

  it("under the title of the note", async () => {
    const analysis = await compare(`${FACT}\n`, `# Notes\n\n${FACT}\n`);
    expect(found(analysis, "Notes")).toMatchObject({ removable: false, held_because: "no_heading_of_its_own" });
  });

  it("while a section below it stays", async () => {
    const memory = `## Jobs\n\n${FACT}\n`;
    const staying = await compare(memory, `## Jobs\n\n${FACT}\n\n### Outbox\n\n${OTHER}\n\n## More\n`);
    expect(found(staying, "Jobs")).toMatchObject({ removable: false, held_because: "has_subsections" });
    // A bare heading is no content, unless it carries a number, a date or a name, or takes back what stands above it.
    const empty = await compare(memory, `## Jobs\n\n${FACT}\n\n### Outbox\n\n## More\n`);
    expect(found(empty, "Jobs")).toMatchObject({ removable: true });
    for (const heading of ["8080", "2031-04-05", "outbox_v2", "Not in use", "Staging"]) {
      const held = await compare(memory, `## Jobs\n\n${FACT}\n\n### ${heading}\n\n## More\n`);
      expect(found(held, "Jobs"), heading).toMatchObject({ removable: false });
    }
    const beside = await compare(memory, `## Jobs\n\n${FACT}\n\n## Outbox\n\n${OTHER}\n`);
    expect(found(beside, "Jobs")).toMatchObject({ removable: true });
  });

  it("with the reason in its text, not in the words of its heading", async () => {
    const analysis = await compare(`## Jobs\n\n${FACT}\n`, `## Evening\n\n${FACT}\n\n## Port 8080\n\n${FACT}\n`);
    expect(found(analysis, "Evening")).toMatchObject({ novel_tokens: [], held_because: "said_differently" });
    expect(found(analysis, "Port 8080")).toMatchObject({ novel_tokens: ["port", "8080"], held_because: "says_more" });
  });

  it("never as a heading alone, which is no content", async () => {
    verifies("rulings/bare-heading");
    const words = "Nightly job copies each table into cold storage";
    const note = `# 2031-02-03 ${words}\n\n## ${words}\n\n## Port 8080\n`;
    const { cross_file_issues, contained_sections } = await compare(`## Jobs\n\n${FACT}\n${OTHER}\n`, note);
    expect([...cross_file_issues, ...contained_sections].map(({ section }) => section)).toEqual([]);
  });

  it("not when all below it leave as well", async () => {
    const text = `## Jobs\n\n${FACT}\n\n### Table\n\n${FACT} ${FACT.replace("table", "view")}\n`;
    const analysis = await compare(text, `# 2031-02-03\n\n${text}`);
    expect(analysis.cross_file_issues).toMatchObject([
      { section: "Jobs", severity: "high", removable: true, line_from: 3, line_to: 6 },
      { section: "Table", severity: "high", removable: true, line_from: 7, line_to: 9 },
    ]);
  });

  it("where it names a day by its distance", async () => {
    const text = `## Jobs\n\nSince yesterday ${FACT}\n`;
    expect(found(await compare(text, text), "Jobs")).toMatchObject({ removable: false, held_because: "relative_date" });
  });

  it("where the note is in use", async () => {
    const text = `## Jobs\n\n${FACT}\n`;
    const today = await compare(text, text, Date.UTC(2031, 1, 3, 12));
    expect(found(today, "Jobs")).toMatchObject({ removable: false, held_because: "in_use" });
    expect(found(await compare(text, text, Date.UTC(2031, 1, 5)), "Jobs")).toMatchObject({ removable: true });
  });

  it("where it is a preview that a rotation left", async () => {
    const analysis = await compare(
      `${FACT}\n`,
      `# Rotated Daily Note\nOriginal file: a\n\n## Summary Preview\n\n${FACT}\n`,
    );
    expect([...analysis.cross_file_issues, ...analysis.contained_sections]).toEqual([]);
    expect(analysis.notes).toHaveLength(1);
  });
});

describe("the title of a note", () => {
  const memory = `## Jobs\n\n${FACT}\n`;

  it.each([
    "# 2031-02-03",
    "# Daily Log: 2031-02-03 (Tuesday)",
    "# Session: 2031-02-03 10:22:05 UTC",
    "# 2031年2月3日 星期一 日志",
    "# February 3, 2031",
    "# 3. Februar 2031",
    "# Notes for 2031-02-03",
    "# Work log",
    "# 今日总结",
    "# 工作记录 2031-02-03",
    "# D",
  ])("%s says nothing of what stands below it", async (title) => {
    expect(found(await compare(memory, `${title}\n\n${memory}`), "Jobs")).toMatchObject({ removable: true });
  });

  it.each(["# Staging", "# 2031-02-04", "# Plan B", "# 2031-02-03 Ideas", "# Notes of Mia", "# 7"])(
    "%s is part of what stands below it",
    async (title) => {
      expect(found(await compare(memory, `${title}\n\n${memory}`), "Jobs")).toMatchObject({ removable: false });
    },
  );
});

describe("of two sections with one heading", () => {
  it("only that leaves which the memory holds", async () => {
    const analysis = await compare(`# D\n\n${FACT}\n`, `# D\n## Notes\n${OTHER}\n## X\nfoo\n## Notes\n${FACT}\n`);
    expect(analysis.cross_file_issues).toMatchObject([{ section: "Notes", line_from: 6, line_to: 7, removable: true }]);
  });

  it("and of one fact in two notes both may, since the memory keeps it", async () => {
    verifies("memory-files/cross-file-redundancy");
    const text = `## Jobs\n\n${FACT}\n`;
    const analysis = await analyze({
      "MEMORY.md": text,
      "memory/2031-02-03.md": text,
      "memory/2031-02-04-session.md": text,
    });
    expect(analysis.cross_file_issues.map(({ file, removable }) => [file, removable])).toEqual([
      ["memory/2031-02-03.md", true],
      ["memory/2031-02-04-session.md", true],
    ]);
  });
});

describe("a section", () => {
  it("ends at the next heading of level 1 to 3, and takes a fence whole", async () => {
    const fence = "```sh\n## not a heading\nrun --all the things in order\n```";
    const analysis = await compare(
      `## Jobs\n\n${FACT}\n\n${fence}\n`,
      `## Jobs\n\n${FACT}\n\n${fence}\n# Part 2\n\n#### Jobs\n\n${OTHER}\n`,
    );
    expect(analysis.cross_file_issues).toMatchObject([{ section: "Jobs", line_from: 1, line_to: 8, removable: true }]);
  });

  it("may have blanks behind its heading, or no line end behind its last line", async () => {
    const memory = `## Jobs\n\n${FACT}\n`;
    expect(found(await compare(memory, `## Jobs   \n${FACT}`), "Jobs")).toMatchObject({ removable: true });
  });
});

describe("a day is in use", () => {
  it.each([
    ["2031-02-03", "2031-02-03T12:00:00Z", true],
    ["2031-02-04", "2031-02-03T12:00:00Z", true],
    ["2031-02-03", "2031-02-04T11:59:59Z", true],
    ["2031-02-03", "2031-02-04T12:00:00Z", false],
    ["2031-02-02", "2031-02-03T12:00:00Z", false],
    [undefined, "2031-02-03T12:00:00Z", false],
  ])("%s at %s: %s", (date, now, expected) => {
    expect(isInUse(date, Date.parse(now))).toBe(expected);
  });
});

describe("a day named by its distance", () => {
  it.each([
    "Fixed today",
    "since last   week",
    "3 days ago",
    "gestern",
    "hoy",
    "aujourd'hui",
    "今天完成",
    "上周",
    "오늘 배포",
  ])("%s", (text) => expect(hasRelativeDate(text)).toBe(true));

  it.each(["on 2031-02-03", "hierarchy", "a holiday", "每天", "weekly", "this is it"])("%s is none", (text) =>
    expect(hasRelativeDate(text)).toBe(false),
  );
});
