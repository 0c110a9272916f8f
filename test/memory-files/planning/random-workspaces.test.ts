import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MemoryFilesPlan, readPlan } from "../../../src/memory-files/plan.ts";
import { newWorkspace } from "../workspace/workspace-folder.ts";
import { applied, applyEdits, fileOf, isEdit, planOf } from "./planned.ts";

const SECTIONS = [
  "## Gateway\n\nThe gateway listens on port 8080 behind nginx and forwards to the pool.\n\n",
  "## Backups\nBackups run nightly from the replica in Frankfurt to the vault.\n- kept for thirty days\n- kept for thirty days\n",
  "### Below\nThe importer reads the queue in batches of two hundred rows each.\n\n\n",
  "## 2030-03-01\n\nShipped the importer to the first three customers of the pilot.\n\n",
  "## 2030-03-02\n- fixed the parser of the importer\n- fixed the parser of the importer\n- wrote down what was learnt\n",
  "### 2030-03-03 evening\n\nMeasured the gateway again, and it was faster than the week before.\n\n> Moved on 2030-04-01 to memory/archive/MEMORY.2030-04-01.md: 2030-01-01 (1 section)\n\n",
  "## Rules\n\nNever deploy on Friday evening, whatever the customer says.\n\n",
  "Title\n---\n\n```sh\n## no heading\nrun it now\n\n\nrun it now\n```\n\n",
  "# Part\n\nWhat stands at the beginning of a part of this file.\n\n",
  "#### Deep\n\nA long line that stands here twice.\n\nA long line that stands here twice.\n\n",
  "## 网关\n\n网关监听端口是八零八零，备份每晚在法兰克福的从库上运行。\n\n",
  "## 2030-03-04\n- 4 days without a rollback\n- more of the importer\n\n",
  "## 2030-03-05\n\n- 5 days without a rollback\n\n",
  "## 2030-03-06\n- 6 days without a rollback\n- 6 days without a rollback\n",
  "### Streak\n- 7 days without a rollback\n- 8 days without a rollback\n\n- 9 days without a rollback\n",
  "## Links\n\nSee [wiki] for the whole of the story and its end.\n\n[wiki]: https://example.com/wiki\n\n",
] as const;

const text = fc
  .tuple(
    fc.constantFrom("", "Beginning of it all.\n\n", "\n\n", "---\na: 1\n---\n"),
    fc.array(fc.constantFrom(...SECTIONS), { maxLength: 7 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([head, sections, end, isEnded]) => {
    const whole = head + sections.join("");
    return (isEnded ? whole : whole.trimEnd()).replaceAll("\n", end);
  });

const workspace = fc.record({
  memory: text,
  notes: fc.array(text, { maxLength: 4 }),
  aggressive: fc.boolean(),
  levers: fc.constantFrom([], ["contained"], ["move"], ["contained", "move"]) as fc.Arbitrary<("contained" | "move")[]>,
  maxMemoryKb: fc.constantFrom(0.1, 0.5, 15),
});

function editsOf({ changes }: MemoryFilesPlan) {
  return changes.filter(isEdit);
}

describe("any workspace", () => {
  it("is planned so that only whole planned lines leave, the figures hold, and a second run finds nothing", {
    timeout: 120_000,
  }, async () => {
    let planned = 0;
    const property = fc.asyncProperty(workspace, async ({ memory, notes, ...request }) => {
      const files = Object.fromEntries(notes.map((note, index) => [`memory/2031-01-0${index + 1}.md`, note]));
      const root = newWorkspace({ "MEMORY.md": memory, ...files });
      const asked = { ...request, moreThanHalf: true };
      const { plan } = await planOf(root, asked);
      expect(readPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
      planned += editsOf(plan).length;
      for (const edit of editsOf(plan)) {
        const bytes = readFileSync(join(root, edit.file));
        const borders = new Set(fileOf(bytes).lines.flatMap(({ start, end }) => [start, end]));
        for (const range of edit.ranges) {
          expect(borders.has(range.byte_from) && borders.has(range.byte_to)).toBe(true);
        }
        const isFirst = edit.bytes_before === bytes.length;
        if (isFirst) expect(applied(bytes, edit.ranges).length).toBe(edit.bytes_after);
      }
      applyEdits(root, plan);
      expect(readFileSync(join(root, "MEMORY.md")).length).toBe(plan.memory_size_after);
      const again = editsOf((await planOf(root, asked)).plan).filter(({ apply }) => apply);
      expect(again.map(({ kind, file, ranges }) => [kind, file, ranges])).toEqual([]);
      rmSync(root, { recursive: true });
    });
    await fc.assert(property, { numRuns: 250 });
    expect(planned).toBeGreaterThan(50);
  });
});
