// Notes that are too large leave a preview, their bytes go to the archive, under a name that nothing else has.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyMemoryFilesCompaction } from "../../../src/memory-files/apply-memory-files-compaction.ts";
import { restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import { planMemoryFilesCompaction } from "../../../src/memory-files.ts";
import { verifies } from "../../requirements/verifies.ts";
import { newWorkspace, toGbk } from "../workspace/workspace-folder.ts";
import { apply, filesOf, liveFiles, NOW, options, read, rotation } from "./sample-plan.ts";

const NOTE = "memory/2031-02-03.md";
const FULL = "memory/archive/2031-02-03.full.md";

function large(text: string, end = "\n"): string {
  return `# Day${end}${end}${"```"}${end}## not a heading${end}${end}${`${text}${end}`.repeat(2_000)}`;
}

describe("rotation", () => {
  it("archives the same bytes, whatever they are, and leaves the preview", async () => {
    verifies("memory-files/rotation-moves-original", "memory-files/rotation-leaves-preview");
    const cases: readonly [string, Uint8Array, string][] = [
      ["plain", Buffer.from(large("a line of plain text")), "\n"],
      ["CRLF", Buffer.from(large("a line of Windows text", "\r\n")), "\r\n"],
      ["BOM, no final newline", Buffer.from(`\uFEFF${large("a line with a mark")}end`), "\n"],
      ["GBK", toGbk(large("今天部署了数据库服务器的配置")), "\n"],
    ];
    for (const [name, bytes, end] of cases) {
      const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: bytes });
      const report = await apply(root, rotation(root, 1, NOTE));
      expect([name, readFileSync(join(root, FULL))]).toEqual([name, Buffer.from(bytes)]);
      const stub = read(root, NOTE);
      const lines = stub.split(end);
      expect(lines.slice(0, 10)).toEqual([
        "# Rotated Daily Note",
        "Original file: 2031-02-03.md",
        `Original size: ${bytes.length} bytes`,
        `Archived copy: ${FULL}`,
        "",
        "## Summary Preview",
        "> # Day",
        "> ```",
        "> ## not a heading",
        expect.stringMatching(/^> /),
      ]);
      expect([lines.length, lines.at(-1)]).toEqual([17, ""]);
      expect(report).toMatchObject({
        rotated: true,
        rotated_count: 1,
        rotated_files: [
          { file: NOTE, original_size: bytes.length, archive_path: FULL, summary_size: Buffer.byteLength(stub) },
        ],
      });
    }
  });

  it("cuts the lines of the preview between characters", async () => {
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: `${"a".repeat(196)}👨‍👩‍👧${"𠮷".repeat(9_000)}\n` });
    await apply(root, rotation(root, 1, NOTE));
    const line = read(root, NOTE).split("\n").at(-2) ?? "";
    expect(line).toBe(`> ${"a".repeat(196)}...`);
  });

  it("never overwrites an archive: a second one of a day gets a name of its own, two at once keep both", async () => {
    verifies("field/archive-overwritten");
    const [first, second] = [large("the first text of the day"), large("the second text of the day")];
    const slug = "memory/2031-02-03-more.md";
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: first, [slug]: first, [FULL]: "of another tool" });
    await apply(root, rotation(root, 1, NOTE));
    writeFileSync(join(root, NOTE), second);
    const same = { ...rotation(root, 2, slug), archive: FULL };
    const report = await apply(root, rotation(root, 1, NOTE), same);
    expect(report.applied.map(({ archived }) => archived)).toEqual([
      ["memory/archive/2031-02-03.full-3.md"],
      ["memory/archive/2031-02-03.full-4.md"],
    ]);
    expect(["", "-2", "-3", "-4"].map((number) => read(root, FULL.replace(".md", `${number}.md`)))).toEqual([
      "of another tool",
      first,
      second,
      first,
    ]);
  });

  it("is due above 30,720 bytes, of notes with a real date that is over", async () => {
    verifies(
      "values/rotation-boundary-and-archives",
      "rulings/rotation-as-apply",
      "memory-files/daily-note-rotation-limit",
      "memory-files/rotation-only-on-apply",
    );
    const sized = (bytes: number) =>
      `# Day\n\n${"words of one more day, each of them new\r\n".repeat(1_000)}`.slice(0, bytes);
    const sizes = {
      "2031-02-01": 30_720,
      "2031-02-02": 30_721,
      "2031-13-45": 31_000,
      "2031-06-15": 31_000,
      "2031-02-03": 90,
    };
    const notes = Object.entries(sizes).map(([date, bytes]) => [`memory/${date}.md`, sized(bytes)] as const);
    const removable = "## Backups\nBackups run every night at two on the old server in the cellar\n";
    const note = "memory/2031-02-03.md";
    const root = newWorkspace({
      "MEMORY.md": removable,
      ...Object.fromEntries(notes),
      [note]: `# Day\n\n${removable}`,
    });
    const before = liveFiles(root);
    const { plan } = await planMemoryFilesCompaction(root, {}, { now: () => NOW, count: options.count });
    expect(liveFiles(root)).toEqual(before);
    const report = await applyMemoryFilesCompaction(root, plan, options);
    expect(report.refused).toEqual([]);
    const due = "memory/2031-02-02.md";
    expect(report.applied.map(({ file, kind }) => `${file} ${kind}`).toSorted()).toEqual([
      `${due} rotate`,
      `${note} remove_sections`,
    ]);
    expect(report.rotated_files[0]?.archive_path).toBe("memory/archive/2031-02-02.full.md");
    expect(filesOf(root)["memory/archive/2031-02-02.full.md"]).toBe(before[due]);
    expect(filesOf(root)[report.applied.find(({ file }) => file === note)?.archived[0] ?? ""]?.trim()).toBe(
      removable.trim(),
    );
    const { [due]: _, [note]: __, ...others } = liveFiles(root);
    const { [due]: ___, [note]: ____, ...untouched } = before;
    expect(others).toEqual(untouched);
    writeFileSync(join(root, due), sized(30_800));
    const again = await planMemoryFilesCompaction(root, {}, { now: () => NOW, count: options.count });
    await applyMemoryFilesCompaction(root, again.plan, options);
    expect(filesOf(root)["memory/archive/2031-02-02.full-2.md"]).toBe(sized(30_800));
    expect(filesOf(root)["memory/archive/2031-02-02.full.md"]).toBe(before[due]);
    await restoreMemoryFiles(root, { ids: ["2", "1"] }, {});
    expect(read(root, note)).toBe(`# Day\n\n${removable}`);
  });
});
