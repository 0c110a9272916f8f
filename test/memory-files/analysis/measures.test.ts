import { describe, expect, it } from "vitest";
import { analyzeMemoryFiles, analyzeWorkspace } from "../../../src/memory-files/analyze-memory-files.ts";

import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { verifies } from "../../requirements/verifies.ts";
import { analyze, NOW, writeWorkspace } from "./sample-workspace.ts";

const count = (text: string) => text.length;

describe("sections", () => {
  it("have their headings, lines and tokens", async () => {
    verifies("values/section-list", "memory-files/section-token-analysis", "memory-files/section-analysis-shape");
    const text = "pre\n# A\n## C#\none\n\ntwo\n## Empty\n## Last\nz";
    const { sections } = await analyze({ "MEMORY.md": text });
    expect(sections).toEqual([
      expect.objectContaining({
        heading: "header",
        level: 0,
        lines: 1,
        tokens: 0,
        preview: "pre",
        line_from: 1,
        line_to: 1,
      }),
      expect.objectContaining({
        heading: "C#",
        level: 2,
        lines: 3,
        tokens: 1,
        preview: "one two",
        line_from: 3,
        line_to: 6,
      }),
      expect.objectContaining({
        heading: "Last",
        level: 2,
        lines: 1,
        tokens: 0,
        preview: "z",
        line_from: 8,
        line_to: 9,
      }),
    ]);
    expect(sections.map(({ byte_from, byte_to }) => text.slice(byte_from, byte_to))).toEqual([
      "pre\n",
      "## C#\none\n\ntwo\n",
      "## Last\nz",
    ]);
    expect(sections[1]?.tokens_exact).toBe("one\n\ntwo".length);
  });

  it("are bloated above 500 tokens by either count", async () => {
    verifies("values/bloat-boundary", "memory-files/section-bloat-mark", "rulings/two-token-counts");
    const of = async (body: string, exact: number) => {
      const root = writeWorkspace({ "MEMORY.md": `## A\n${body}\n` });
      const settings = { maxMemoryKb: 15, now: NOW, count: () => exact };
      const { analysis } = await analyzeWorkspace(await openWorkspace({ root }), settings);
      return analysis.sections.map(({ tokens, tokens_exact, bloated }) => [tokens, tokens_exact, bloated]);
    };
    expect(await of("word ".repeat(667), 0)).toEqual([[500, 0, false]]);
    expect(await of("word ".repeat(668), 0)).toEqual([[501, 0, true]]);
    expect(await of("word\n".repeat(600), 0)).toEqual([[450, 0, false]]);
    expect(await of("word", 500)).toEqual([[0, 500, false]]);
    expect(await of("word", 501)).toEqual([[0, 501, true]]);
  });

  it("begin at headings of level 1 to 3 outside fences, ATX or setext", async () => {
    const { sections } = await analyze({
      "MEMORY.md": "---\ntitle: x\n---\nOne\n===\na\n#### deep\nb\n```\n# no\n```\n### Two\nc\n- # no\n",
    });
    expect(sections.map(({ heading, lines }) => `${heading} ${lines}`)).toEqual(["header 3", "One 6", "Two 2"]);
  });

  it("have previews of whole characters", async () => {
    const { sections } = await analyze({ "MEMORY.md": `## A\n\n${"x".repeat(119)}👨‍👩‍👧 more\n` });
    expect(sections[0]?.preview).toBe("x".repeat(119));
  });
});

describe("sizes", () => {
  it("of the main memory file are bytes, characters and tokens", async () => {
    verifies("memory-files/size-report");
    const text = "## 记忆\r\n\r\none two 😀\r\n";
    const { memory_files: files, ...analysis } = await analyze({ "MEMORY.md": `\ufeff${text}` });
    expect(analysis).toMatchObject({
      memory_file: "MEMORY.md",
      memory_size: Buffer.byteLength(text) + 3,
      memory_characters: [...text.replaceAll("\r\n", "\n")].length,
      memory_tokens: 4,
      memory_tokens_exact: text.replaceAll("\r\n", "\n").length,
      over_limit_bytes: 0,
    });
    expect(files).toEqual([
      {
        file: "MEMORY.md",
        bytes: analysis.memory_size,
        characters: analysis.memory_characters,
        tokens: 4,
        tokens_exact: analysis.memory_tokens_exact,
        imported: false,
      },
    ]);
  });

  it("above the limit are told", async () => {
    const root = writeWorkspace({ "MEMORY.md": "x".repeat(2049) });
    const over = async (maxMemoryKb?: number) =>
      (await analyzeMemoryFiles({ root, maxMemoryKb }, { now: NOW, count })).over_limit_bytes;
    expect(await over(1)).toBe(1025);
    expect(await over(2)).toBe(1);
    expect(await over(2.5)).toBe(0);
    expect(await over()).toBe(0);
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(over(bad)).rejects.toMatchObject({ code: "INVALID_MAX_MEMORY_KB", kind: "InvalidInput" });
    }
  });

  it("of imported files stand beside, and their text is memory", async () => {
    const fact = "The nightly job copies each table into cold storage before anybody reads mail.";
    const analysis = await analyze({
      "CLAUDE.md": "See @docs/jobs.md\n",
      "docs/jobs.md": `## Jobs\n\n${fact}\n`,
      "memory/2031-02-03.md": `## Jobs\n\n${fact}\n`,
    });
    expect(analysis.memory_file).toBe("CLAUDE.md");
    expect(analysis.memory_files.map(({ file, imported }) => [file, imported])).toEqual([
      ["CLAUDE.md", false],
      ["docs/jobs.md", true],
    ]);
    expect(analysis.cross_file_issues).toMatchObject([{ removable: true, memory_section: { file: "docs/jobs.md" } }]);
  });

  it("are none where there is no memory", async () => {
    const analysis = await analyze({ "memory/2031-02-03.md": "## A\n\none two three four five six seven\n" });
    expect(analysis).toMatchObject({
      memory_file: null,
      memory_size: 0,
      cross_file_issues: [],
      contained_sections: [],
    });
    expect(analysis.notes).toHaveLength(1);
  });
});

describe("notes", () => {
  it("are marked above 8,192 bytes and due for rotation above 30,720", async () => {
    verifies("memory-files/daily-note-bloat", "memory-files/daily-note-rotation-limit");
    const { notes } = await analyze({
      "MEMORY.md": "x\n",
      "memory/2031-02-01.md": "é".repeat(4096),
      "memory/2031-02-02.md": `${"é".repeat(4096)}x`,
      "memory/2031-02-03.md": "x".repeat(30_720),
      "memory/2031-02-04-more.md": "x".repeat(30_721),
    });
    expect(notes.map(({ date, bytes, bloated, due_for_rotation }) => [date, bytes, bloated, due_for_rotation])).toEqual(
      [
        ["2031-02-01", 8192, false, false],
        ["2031-02-02", 8193, true, false],
        ["2031-02-03", 30_720, true, false],
        ["2031-02-04", 30_721, true, true],
      ],
    );
  });

  it("that cannot be read are named, and the others are analysed", async () => {
    const analysis = await analyze({
      "MEMORY.md": "x\n",
      "memory/2031-02-01.md": Uint8Array.of(0xff, 0xfe, 0x41, 0x00),
      "memory/2031-02-02.md": "text\n",
    });
    expect(analysis.unread).toMatchObject([{ file: "memory/2031-02-01.md", code: "NOT_TEXT" }]);
    expect(analysis.notes.map(({ file }) => file)).toEqual(["memory/2031-02-02.md"]);
  });
});

describe("repeated lines", () => {
  it("are shown once each, longer than ten characters, whatever their case", async () => {
    verifies("values/duplicate-line-groups", "memory-files/internal-duplicates");
    const lines = [
      "A line of text",
      "1234567890",
      "a LINE of text",
      "123456789",
      "  A line of text",
      "1234567890",
      "123456789",
    ];
    const analysis = await analyze({ "MEMORY.md": `${[...lines, "A line of text"].join("\n")}\n` });
    expect(analysis.internal_duplicates).toBe(1);
    expect(analysis.duplicate_lines).toEqual([
      { file: "MEMORY.md", text: "A line of text", occurrences: 4, lines: [1, 3, 5, 8] },
    ]);
  });

  it("leave out front matter, rulers and the marks of fences", async () => {
    const fence = "```typescript\nconst a = 1;\n```\n";
    const { duplicate_lines: lines } = await analyze({
      "MEMORY.md": `---\ntitle: one two\n---\n\ntitle: one two\n\n| ----- | ----- |\n| ----- | ----- |\n\n${fence}\n${fence}`,
    });
    expect(lines.map(({ text }) => text)).toEqual(["const a = 1;"]);
  });

  it("are counted in characters, and per file", async () => {
    const analysis = await analyze({
      "CLAUDE.md": "@b.md\n𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷\n𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷\nin one file only\n",
      "b.md": "in one file only\n𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷\n𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷\n",
    });
    expect(analysis.duplicate_lines).toMatchObject([{ file: "b.md", text: "𠮷".repeat(11), lines: [2, 3] }]);
  });
});

describe("an analysis", () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`memory/2031-01-${String(at + 1).padStart(2, "0")}.md`, "## A\n\ntext\n"]),
  );

  it("gives the hash of each file", async () => {
    const root = writeWorkspace({ "MEMORY.md": "x\n", ...many });
    const workspace = await openWorkspace({ root });
    const { hashes } = await analyzeWorkspace(workspace, { maxMemoryKb: 15, now: NOW, count });
    expect([...hashes.keys()]).toEqual(["MEMORY.md", ...workspace.notes.map(({ file }) => file)]);
    expect([...hashes.values()].every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  });

  it("ends when it is told to", async () => {
    const workspace = await openWorkspace({ root: writeWorkspace({ "MEMORY.md": "x\n", ...many }) });
    const stop = new AbortController();
    const reason = new Error("enough");
    let counted = 0;
    const stopping = (text: string) => {
      counted += 1;
      if (counted === 5) stop.abort(reason);
      return count(text);
    };
    const settings = { maxMemoryKb: 15, now: NOW, count: stopping, signal: stop.signal };
    await expect(analyzeWorkspace(workspace, settings)).rejects.toBe(reason);
    expect(counted).toBe(5);
  });
});
