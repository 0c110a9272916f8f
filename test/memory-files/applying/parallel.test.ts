// Several at once: applies in one process, applies in two, and an editor that asks nobody.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { applyMemoryFilesCompaction } from "../../../src/memory-files/apply-memory-files-compaction.ts";
import type { MemoryFilesReport } from "../../../src/memory-files/report.ts";
import { listArchivedChanges, restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import { finish } from "../../observations/children/start.ts";
import { verifies } from "../../requirements/verifies.ts";
import { countSteps } from "../journal/count-steps.mjs";
import { newWorkspace } from "../workspace/workspace-folder.ts";
import { apply, digest, filesOf, liveFiles, options, planOf, read, removal, rotation } from "./sample-plan.ts";

const TEXT = "# Day\n\n## A\none\n\n## B\ntwo\n";
const noteOf = (number: number) => `memory/2031-02-${String(number).padStart(2, "0")}.md`;
const RUN = fileURLToPath(new URL("../../observations/children/run.mjs", import.meta.url));
const APPLY = fileURLToPath(new URL("../journal/children/apply-plan.ts", import.meta.url));

function sample(count: number): string {
  const notes = Array.from({ length: count }, (_, index) => [noteOf(index + 1), TEXT]);
  return newWorkspace({ "MEMORY.md": "# Memory\n", ...Object.fromEntries(notes) });
}

describe("twenty applies at once in one process", () => {
  it("all take effect, each in a run of its own", { timeout: 60_000 }, async () => {
    const root = sample(20);
    const before = liveFiles(root);
    const plans = Array.from({ length: 20 }, (_, index) =>
      planOf(root, removal(root, 1, noteOf(index + 1), [6, 7, "B"])),
    );
    const reports = await Promise.all(plans.map((plan) => applyMemoryFilesCompaction(root, plan, options)));
    expect(reports.flatMap(({ refused }) => refused)).toEqual([]);
    expect(reports.map(({ run }) => run).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    for (let number = 1; number <= 20; number++) expect(read(root, noteOf(number))).toBe("# Day\n\n## A\none\n\n");
    await restoreMemoryFiles(root, { all: true }, {});
    expect(liveFiles(root)).toEqual(before);
  });

  it("of one plan are made once: the others find it stale", { timeout: 60_000 }, async () => {
    const root = sample(1);
    const plan = planOf(root, removal(root, 1, noteOf(1), [6, 7, "B"]));
    const reports = await Promise.all(Array.from({ length: 5 }, () => applyMemoryFilesCompaction(root, plan, options)));
    expect(reports.flatMap(({ applied }) => applied)).toHaveLength(1);
    expect(reports.flatMap(({ refused }) => refused.map(({ code }) => code))).toEqual(Array(4).fill("STALE_PLAN"));
    expect(await listArchivedChanges(root)).toHaveLength(1);
  });
});

describe("twenty changes of one file at once", () => {
  it("all take effect, and whoever reads it meanwhile reads all of it", { timeout: 120_000 }, async () => {
    verifies("field/parallel-writes-to-a-file");
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const stays = (number: number) => `## Kept ${number}\n\nkept ${number} a\nkept ${number} b\n\n`;
    const leaves = (number: number) => `## Left ${number}\nleft ${number}\n\n`;
    const text = numbers.map((number) => stays(number) + leaves(number)).join("");
    const root = newWorkspace({ "MEMORY.md": "# Memory\n", [noteOf(1)]: `${text}## End\n` });
    const changes = numbers.map((number) =>
      removal(root, number, noteOf(1), [number * 8 - 2, number * 8, `Left ${number}`]),
    );
    expect((await apply(root, ...changes)).refused).toEqual([]);
    expect(read(root, noteOf(1))).toBe(`${numbers.map(stays).join("")}## End\n`);
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        const now = read(root, noteOf(1));
        expect(numbers.every((number) => now.includes(stays(number))) && now.endsWith("## End\n")).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const inAnyOrder = numbers.map((number) => (number * 7) % 20 || 20);
    const restores = inAnyOrder.map((number) => restoreMemoryFiles(root, { ids: [`1.${number}`] }, {}));
    const reports = await Promise.all(restores);
    isOver = true;
    await reading;
    expect(reports.flatMap(({ refused }) => refused)).toEqual([]);
    expect(read(root, noteOf(1))).toBe(`${text}## End\n`);
  });
});

describe("two processes at once", () => {
  it("apply one after the other, and nothing is made twice or lost", { timeout: 60_000 }, async () => {
    const root = sample(8);
    const before = liveFiles(root);
    const changes = Array.from({ length: 8 }, (_, index) => removal(root, index + 1, noteOf(index + 1), [6, 7, "B"]));
    const plans = [changes.slice(0, 5), changes.slice(3)].map((part, index) => {
      const path = join(newWorkspace(), `${index}.json`);
      writeFileSync(path, JSON.stringify(planOf(root, ...part)));
      return path;
    });
    const ended = await Promise.all(plans.map((plan) => finish(spawn(process.execPath, [RUN, APPLY, root, plan]))));
    const reports = ended.map(({ stdout, stderr }): MemoryFilesReport => {
      expect(stderr).toBe("");
      return JSON.parse(stdout);
    });
    const applied = reports.flatMap((report) => report.applied.map(({ file }) => file));
    expect(applied.toSorted()).toEqual(changes.map(({ file }) => file));
    expect(reports.flatMap(({ refused }) => refused.map(({ code }) => code))).toEqual(["STALE_PLAN", "STALE_PLAN"]);
    expect(reports.map(({ run }) => run).toSorted()).toEqual([1, 2]);
    await restoreMemoryFiles(root, { all: true }, {});
    expect(liveFiles(root)).toEqual(before);
  });
});

describe("an editor that saves while a run is at work", () => {
  const NOTE = noteOf(1);

  /** Does `edit` right before the first step of a name from the `from`th on. */
  async function whileApplying(root: string, from: number, edit: () => void, plan: ReturnType<typeof planOf>) {
    let [step, isDone] = [0, false];
    const stop = countSteps(root, () => {
      step += 1;
      if (step <= from || isDone) return;
      isDone = true;
      edit();
    });
    try {
      return await applyMemoryFilesCompaction(root, plan, options);
    } finally {
      stop();
    }
  }

  it("keeps what it wrote, at whatever moment that was", { timeout: 60_000 }, async () => {
    for (let from = 0; from < 26; from++) {
      const root = sample(2);
      const plan = planOf(root, removal(root, 1, NOTE, [6, 7, "B"]), removal(root, 2, noteOf(2), [6, 7, "B"]));
      const report = await whileApplying(root, from, () => appendFileSync(join(root, NOTE), "mine\n"), plan);
      const isRefused = report.refused.some(({ code }) => code === "STALE_PLAN");
      const isReplaced = read(root, NOTE) === "# Day\n\n## A\none\n\n";
      // Between the last look and the rename nobody can come but one who comes right then.
      if (!isReplaced)
        expect([from, read(root, NOTE)]).toEqual([from, isRefused ? `${TEXT}mine\n` : "# Day\n\n## A\none\n\nmine\n"]);
      expect(report.applied.some(({ file }) => file === noteOf(2))).toBe(true);
      expect(report.refused.length + report.applied.length).toBe(2);
      const archived = Object.keys(filesOf(root)).filter((name) => name.includes("/removed/"));
      expect(archived).toHaveLength(report.applied.length);
    }
  });

  it("of a note of a digest keeps it where it is, and the whole digest waits", { timeout: 60_000 }, async () => {
    const seen = new Set<string>();
    for (let from = 0; from < 40; from++) {
      const root = sample(2);
      const before = liveFiles(root);
      const plan = planOf(root, digest(root, 1, "2031-02", NOTE, noteOf(2)));
      const edit = () => {
        try {
          writeFileSync(join(root, noteOf(2)), "mine\n", { flag: "r+" });
        } catch {
          // It is in the archive by then.
        }
      };
      const report = await whileApplying(root, from, edit, plan);
      if (report.refused.length === 0) continue;
      seen.add(report.refused[0]?.code ?? "");
      const after = liveFiles(root);
      expect(after[NOTE]).toBe(before[NOTE]);
      expect(Object.keys(after)).toEqual(Object.keys(before));
      expect(Object.keys(filesOf(root)).filter((name) => name.includes("archive/2031"))).toEqual([]);
    }
    expect([...seen]).toEqual(["STALE_PLAN"]);
  });

  it("of the memory stops the removals that rest on it", async () => {
    const root = sample(2);
    const plan = planOf(root, removal(root, 1, NOTE, [6, 7, "B"]), removal(root, 2, noteOf(2), [6, 7, "B"]));
    const report = await whileApplying(root, 8, () => writeFileSync(join(root, "MEMORY.md"), "# Emptied\n"), plan);
    expect(report.refused.map(({ code }) => code)).toEqual(["STALE_PLAN", "STALE_PLAN"]);
    expect(report).toMatchObject({ run: null, applied: [] });
    expect(readFileSync(join(root, NOTE), "utf8")).toBe(TEXT);
    expect(await listArchivedChanges(root)).toEqual([]);
  });
});

describe("a lock", () => {
  it("that another took over stops the run before it writes", async () => {
    const root = sample(2);
    const plan = planOf(root, removal(root, 1, noteOf(1), [6, 7, "B"]));
    let steps = 0;
    const stop = countSteps(root, () => {
      steps += 1;
      if (steps === 8) writeFileSync(join(root, "memory/archive/journal/writer"), "another");
    });
    const before = liveFiles(root);
    try {
      await expect(applyMemoryFilesCompaction(root, plan, options)).rejects.toMatchObject({
        kind: "Conflict",
        code: "LOCK_LOST",
      });
    } finally {
      stop();
    }
    expect(liveFiles(root)).toEqual(before);
  });
});

describe("events", () => {
  it("tell counts and names of files, never text", async () => {
    const events: unknown[] = [];
    const trace = { emit: (event: unknown) => void events.push(event) };
    const root = sample(1);
    writeFileSync(join(root, noteOf(2)), "secret words\n".repeat(3_000));
    const plan = planOf(root, rotation(root, 1, noteOf(2)), removal(root, 2, noteOf(1), [6, 7, "B"]));
    await applyMemoryFilesCompaction(root, plan, { ...options, trace });
    await restoreMemoryFiles(root, { all: true }, { trace });
    await applyMemoryFilesCompaction(root, {}, { ...options, trace }).catch(() => undefined);
    const times = { started_at: expect.stringMatching(/Z$/), duration_ms: expect.any(Number) };
    expect(events).toMatchObject([
      {
        event: "compact.applied",
        ...times,
        part: "memory_files",
        session_id: "memory-files",
        ids: [noteOf(2), noteOf(1)],
        counts: { applied: 2, refused: 0, rotated: 1 },
      },
      { event: "compact.restored", ...times, part: "memory_files", counts: { restored: 2, refused: 0 } },
      { event: "compact.error", ...times, part: "memory_files", code: "INVALID_PLAN" },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/secret|two/);
    await apply(root);
  });
});
