// Digests of a real workspace, mostly in Chinese: what stays of them, in how much room.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planDigests } from "../../../src/memory-files/plan/plan-digests.ts";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { CORPUS, corpusFiles } from "../../corpus/corpus.ts";
import { newWorkspace } from "../workspace/workspace-folder.ts";
import { contextOf, count } from "./months.ts";

const LATER = Date.UTC(2032, 0, 1);

describe("a real workspace", () => {
  it.skipIf(CORPUS === undefined)(
    "names every note and every open task of each month",
    async () => {
      for (const tar of corpusFiles("memory-md", /-dev\.tar\.gz$/)) {
        const root = newWorkspace();
        execFileSync("tar", ["xzf", tar, "-C", root]);
        const { changes, held } = await planDigests(await openWorkspace({ root }), contextOf({ now: LATER }));
        expect(held).toEqual([]);
        expect(changes.length).toBeGreaterThan(1);
        for (const { month, notes, text, tokens_before } of changes) {
          const texts = notes.map((note) => readFileSync(join(root, note), "utf8"));
          // Each by its date or its name.
          for (const note of notes) {
            const stem = note.slice(note.lastIndexOf("/") + 1).replace(/\.md$/, "");
            expect(text.includes(`[${stem}]`) || text.includes(`[${stem.slice(0, 10)}]`), note).toBe(true);
          }
          const tasks = texts.flatMap((note) => note.match(/^\s*- \[ \] .*\S/gm) ?? []).map((task) => task.trim());
          for (const task of tasks) expect(text).toContain(task);
          const taskTokens = [...new Set(tasks)].reduce(
            (sum, task) => sum + count(`${task} (2026-01-01 to 2026-01-01)\n`),
            0,
          );
          expect(count(text) - taskTokens, month).toBeLessThan(
            Math.max(300, Math.min(Math.max(3000, Math.min(6000, texts.length * 100)), tokens_before * 0.35)) + 60,
          );
          expect(text).not.toMatch(/\uFFFD|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
        }
      }
    },
    60_000,
  );
});
