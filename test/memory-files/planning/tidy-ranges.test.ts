import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { removableRanges, withinHalf } from "../../../src/memory-files/plan/dedupe-lines.ts";
import { verifies } from "../../requirements/verifies.ts";
import { applied, appliedText, fileOf } from "./planned.ts";

function tidied(text: string): string {
  return appliedText(text, removableRanges(fileOf(text)));
}

function staysAsItIs(...texts: readonly string[]): void {
  for (const text of texts) expect(tidied(text), text).toBe(text);
}

describe("repeated lines", () => {
  it("leave with the blank runs around them, and a second run finds nothing", () => {
    verifies("values/dedup-and-blank-runs");
    const once = tidied("\n\n# T\n\n\n- a\n- a\n\n- a\n");
    expect(once).toBe("# T\n\n- a\n");
    expect(tidied(once)).toBe(once);
    staysAsItIs("", "```\n}\n}\n```\n", "| a | b |\n|---|---|\n| 1 | 1 |\n| 1 | 1 |\n");
  });

  it("leave paragraphs, items, and lines written twice in a row", () => {
    verifies("memory-files/aggressive-removes-exact-duplicates");
    expect(tidied("The user likes tea.\n\nThe user likes tea.\n\nThe user likes tea.\n\nShe works at night.\n")).toBe(
      "The user likes tea.\n\nShe works at night.\n",
    );
    expect(tidied("- one\n- two\n- one\n- three\n")).toBe("- one\n- two\n- three\n");
    expect(tidied("The user likes tea\nThe user likes tea\nand coffee\n")).toBe("The user likes tea\nand coffee\n");
  });

  it("are exactly equal", () => {
    staysAsItIs(
      "- One thing\n- one thing\n",
      "- one  \n- one\n",
      "* one\n- one\n",
      "The port is 80.\n\nThe port is 81.\n",
    );
  });

  it("stay under another heading of any kind", () => {
    verifies("memory-files/aggressive-keeps-headings");
    staysAsItIs(
      "## A\n- Owner: Mia\n## B\n- Owner: Mia\n",
      "#### A\n- Owner: Mia\n#### B\n- Owner: Mia\n",
      "A\n---\n- Owner: Mia\n\nB\n---\n- Owner: Mia\n",
      "## Same heading\n\n## Same heading\n",
    );
  });

  it("stay where the structure tells them apart", () => {
    verifies("field/line-dedup-destroys-structure");
    staysAsItIs(
      "```\nnpm test\n```\n\n```\nnpm test\n```\n",
      "| a |\n| --- |\n| 1 |\n\ntext\n\n| a |\n| --- |\n| 1 |\n",
      "- Mia\n  - reviewed\n- Tom\n  - reviewed\n",
      "---\na: 1\na: 1\n\n\nb: 2\n---\ntext\n",
      "```\na\n\n\n\nb\n```\n",
      "    indented\n\n\n    code\n",
      "<!-- one\n\n\none -->\n",
      "one line here  \nnext line here\n",
      "> a line that is said\n> another line here\n> a line that is said\n",
      "1. run the tests\n1. deploy it\n1. run the tests\n",
      "Mia:\n- reviewed it\n\nTom:\n- reviewed it\n",
      "**Mia Smith**\n\nreviewed the change.\n\n**Tom Jones**\n\nreviewed the change.\n",
      "- name: a\n- status: running\n- name: b\n- status: running\n",
      "Run this command\n\n    one\n\nRun this command\n\n    two\n",
      "[a]: https://example.com/long\n[a]: https://example.com/long\n",
      "yes.\n\nyes.\n",
    );
  });

  it("stay where another paragraph stands between them, which may be what they answer", () => {
    staysAsItIs(
      "The user likes tea.\n\nShe works at night.\n\nThe user likes tea.\n",
      "Mia says the following\n\nwe deploy on Friday\n\nTom denies the following\n\nwe deploy on Friday\n",
      "Press the red button once\n\nWait for ten seconds\n\nPress the red button once\n",
      "The user likes tea.\n\n- a list\n\nThe user likes tea.\n",
    );
  });

  it("stay in a list with items that are labels of the others", () => {
    staysAsItIs(
      "- **alpha**\n- uses ssd disks\n- **beta**\n- uses ssd disks\n",
      "- `alpha`\n- uses ssd disks\n- `beta`\n- uses ssd disks\n",
      "- __alpha__:\n- uses ssd disks\n- beta\n- uses ssd disks\n",
      "- alpha:\n- uses ssd disks\n- beta:\n- uses ssd disks\n",
      "- 甲：\n- 用固态硬盘\n- 乙：\n- 用固态硬盘\n",
      "- hosts\n  - **alpha**\n  - ssd disks\n  - **beta**\n  - ssd disks\n",
    );
    expect(tidied("- a **bold** word\n- some `code` in it\n- a **bold** word\n")).toBe(
      "- a **bold** word\n- some `code` in it\n",
    );
  });

  it("stay where the order matters", () => {
    const list = "- press the button\n- hold the lever\n- press the button\n";
    for (const word of [
      "Steps",
      "Boot order",
      "Light procedure",
      "Runbook",
      "步骤",
      "启动流程",
      "Die Schritte",
      "Reihenfolge",
    ])
      staysAsItIs(`# ${word}\n\n${list}`, `# A\n\n${word}\n\n${list}`, `# ${word}\n\n## Below\n\n${list}`);
    for (const word of ["Pasos", "Étapes", "Os passos", "手順"])
      staysAsItIs(`# ${word}\n\n${list}`, `- ${word}\n  ${list.trimEnd().replaceAll("\n", "\n  ")}\n`);
    for (const between of ["wait a second", "then the lever", "the same again", "repeat it", "等待十秒", "再按一次"])
      staysAsItIs(`- press the button\n- ${between}\n- press the button\n`);
    staysAsItIs("- wait a second\n- press\n- wait a second\n", `# Steps\n\nPress it once more\n\nPress it once more\n`);
    expect(tidied(`# Buttons\n\nWhat there is\n\n${list}`)).toBe(
      "# Buttons\n\nWhat there is\n\n- press the button\n- hold the lever\n",
    );
    expect(tidied(`- wait\n${list}`)).toBe("- wait\n- press the button\n- hold the lever\n");
  });

  it("stay in two lists", () => {
    staysAsItIs("- one\n\nA word between.\n\n- one\n", "- one\n* two\n- one\n", "- one\n1. two\n\n- one\n");
  });

  it("leave what stood below them under nothing else", () => {
    // Without the second line, the indented one would be a part of the item before it.
    staysAsItIs("- one\n- two\n- one\n\n  more of one\n");
  });

  it("keep the end of the file as it is", () => {
    verifies("memory-files/aggressive-keeps-final-newline");
    expect(tidied("- a\n- b\n- a")).toBe("- b\n- a");
    expect(tidied("- a\n- b\n- a\n")).toBe("- a\n- b\n");
    expect(tidied("- a\r\n- a\r\n\r\n\r\nend of it")).toBe("- a\r\n\r\nend of it");
  });
});

describe("blank runs", () => {
  it("become their first line; at the beginning and the end they go", () => {
    verifies("memory-files/aggressive-merges-blank-lines");
    expect(tidied("\n \n# T\n\t\n\n\none\n\n\n\ntwo\n\n\n")).toBe("# T\n\t\none\n\ntwo\n");
  });

  it("stay before what would become front matter", () => {
    staysAsItIs("\n---\na: 1\n---\ntext\n");
  });
});

describe("half of a file", () => {
  const lines = (text: string, gone: readonly number[]) => withinHalf(fileOf(text), gone);

  it("is the most that leaves, from the first line on", () => {
    const text = `# Title\n${"- the same line\n".repeat(9)}`;
    const ranges = removableRanges(fileOf(text));
    expect(ranges).toMatchObject([{ line_from: 3, line_to: 10 }]);
    expect(lines(text, [2, 3, 4, 5, 6, 7, 8, 9])).toEqual([2, 3, 4, 5]);
  });

  it("is counted without blank lines and front matter", () => {
    expect(lines("\n\n\n\n\n\none\n", [0, 1, 2, 3, 4, 5])).toHaveLength(6);
    expect(lines("---\nlong: front matter of a file\n---\n- a\n- a\n- a\n", [4, 5])).toEqual([4]);
  });
});

const piece = fc.constantFrom(
  ...[
    "# A",
    "## B",
    "Title\n---",
    "- one",
    "- one",
    "- two",
    "  - below",
    "1. step",
    "- [ ] task",
    "> said",
    "",
    "",
    "\t",
  ],
  ...["A longer line of prose.", "A longer line of prose.", "Another line of prose.", "Lead in:", "**Label here**"],
  ...[
    "```\ncode\n\n\ncode\n```",
    "~~~",
    "    indented code",
    "| a |\n|---|\n| 1 |\n| 1 |",
    "<!-- x\n\n\n-->",
    "---",
    "- key: a",
    "- key: b",
  ],
  ...[
    "hard break  ",
    "[r]: https://example.com",
    "<div>",
    "中文的一行文字，够长了。",
    "中文的一行文字，够长了。",
    "* one",
    "+ one",
  ],
);
const markdown = fc
  .tuple(fc.array(piece, { maxLength: 30 }), fc.constantFrom("\n", "\r\n"), fc.boolean(), fc.boolean())
  .map(
    ([pieces, end, isEnded, hasMark]) =>
      (hasMark ? "\ufeff" : "") + pieces.join("\n").replaceAll("\n", end) + (isEnded ? end : ""),
  );

describe("any file", () => {
  it("loses whole lines that are blank or stand before, and a second run finds nothing", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const file = fileOf(text);
        const ranges = removableRanges(file);
        const result = fileOf(applied(file.bytes, ranges));
        const kept = new Set(result.lines.map((line) => line.text));
        for (const { line_from, line_to } of ranges) {
          for (const line of file.lines.slice(line_from - 1, line_to)) {
            expect(line.text.trim() === "" || kept.has(line.text)).toBe(true);
          }
        }
        expect(removableRanges(result)).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  it("keeps every heading, every table, every line of code, and every different line, in their order", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const file = fileOf(text);
        const result = fileOf(applied(file.bytes, removableRanges(file)));
        const shape = ({ lines, outline }: typeof file) =>
          outline.blocks
            .filter(({ kind }) => kind !== "paragraph")
            .map(({ kind, from, to }) => [kind, ...lines.slice(from, to).map((line) => line.text)].join("\n"));
        expect(shape(result)).toEqual(shape(file));
        const different = ({ lines }: typeof file) =>
          new Set(lines.map((line) => line.text).filter((line) => line.trim() !== ""));
        expect(different(result)).toEqual(different(file));
      }),
      { numRuns: 600 },
    );
  });
});
