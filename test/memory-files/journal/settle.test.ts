// A run that dies at any step leaves each file old or new, and the next one settles what it left.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyMemoryFilesCompaction } from "../../../src/memory-files/apply-memory-files-compaction.ts";
import type { MemoryFilesPlan } from "../../../src/memory-files/plan.ts";
import { listArchivedChanges, restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import { verifies } from "../../requirements/verifies.ts";
import {
  apply,
  digest,
  filesOf,
  liveFiles,
  MOVED,
  moving,
  options,
  planOf,
  removal,
  rotation,
  tidy,
} from "../applying/sample-plan.ts";
import { newWorkspace } from "../workspace/workspace-folder.ts";
import { dyingAt, killedAt, letTimePass } from "./dying.ts";

const NOTE = "memory/2031-02-03.md";
const TEXT = "# Day\n\n## A\none\n\n## B\ntwo\n";
/** Every step with PROPERTY_RUNS=200 npx vitest run test/memory-files/journal */
const isWhole = Number(process.env.PROPERTY_RUNS ?? 0) >= 200;
const STRIDE = isWhole ? 1 : 3;

function sample(): { readonly root: string; readonly plan: MemoryFilesPlan } {
  const root = newWorkspace({
    "MEMORY.md": "# Memory\n\n- a\n- a\n\n## Old\nold\n",
    [NOTE]: TEXT,
    "memory/2031-02-05.md": "a line\r\n".repeat(4_000),
    "memory/2031-01-01.md": "# One\n",
    "memory/2031-01-02.md": "# Two",
  });
  const plan = planOf(
    root,
    tidy(root, 1, "MEMORY.md", [4, 4]),
    moving(root, 2, "MEMORY.md", [6, 7, "Old", `See ${MOVED}.\n`]),
    removal(root, 3, NOTE, [6, 7, "B"]),
    rotation(root, 4, "memory/2031-02-05.md"),
    digest(root, 5, "2031-01", "memory/2031-01-01.md", "memory/2031-01-02.md"),
  );
  return { root, plan };
}

const isTemporary = (name: string) => name.includes(".tmp");

/** Settles, and holds what is promised of every moment. */
async function expectSettled(
  root: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
) {
  for (const [name, bytes] of Object.entries(liveFiles(root))) {
    if (!isTemporary(name)) expect([before[name], after[name], AFTER_TIDY(name)]).toContain(bytes);
  }
  for (const name of Object.keys(before)) {
    if (!(name in after)) continue;
    expect(Object.keys(liveFiles(root))).toContain(name);
  }
  letTimePass(root);
  const settled = await apply(root);
  expect(settled.refused).toEqual([]);
  const files = filesOf(root);
  expect(Object.keys(files).filter(isTemporary)).toEqual([]);
  const known = await listArchivedChanges(root);
  expect(known.filter(({ state }) => state === "unclear")).toEqual([]);
  // Nothing in the archive that no change of the journal answers for.
  const archived = Object.keys(files).filter((name) => /^memory\/archive\/(?!journal)/.test(name));
  expect(archived).toEqual(known.flatMap((change) => change.archived).toSorted());
  return settled;
}

const AFTER_TIDY = (name: string) => (name === "MEMORY.md" ? "# Memory\n\n- a\n\n## Old\nold\n" : undefined);

/** How many steps an apply and a restore take, and what the apply makes of the files. */
async function wholeRun() {
  const { root, plan } = sample();
  const before = liveFiles(root);
  const steps = await dyingAt(root, Number.MAX_SAFE_INTEGER, () => applyMemoryFilesCompaction(root, plan, options));
  const after = liveFiles(root);
  const restoring = await dyingAt(root, Number.MAX_SAFE_INTEGER, () => restoreMemoryFiles(root, { all: true }, {}));
  expect(liveFiles(root)).toEqual(before);
  return { steps, restoring, after };
}

describe("an apply that dies", () => {
  it("at any step leaves old or new files, and the next run makes all of it good", { timeout: 300_000 }, async () => {
    const { steps, after } = await wholeRun();
    expect(steps).toBeGreaterThan(60);
    for (let step = 0; step <= steps; step += STRIDE) {
      const { root, plan } = sample();
      const before = liveFiles(root);
      await dyingAt(root, step, () => applyMemoryFilesCompaction(root, plan, options));
      await expectSettled(root, before, after);
      const report = await restoreMemoryFiles(root, { all: true }, {});
      expect([step, report.refused]).toEqual([step, []]);
      expect(liveFiles(root)).toEqual(before);
    }
  });

  it("is settled by a restore too, which then goes on", async () => {
    const { steps } = await wholeRun();
    for (let step = 0; step <= steps; step += 2 * STRIDE + 1) {
      const { root, plan } = sample();
      const before = liveFiles(root);
      await dyingAt(root, step, () => applyMemoryFilesCompaction(root, plan, options));
      letTimePass(root);
      const report = await restoreMemoryFiles(root, { all: true }, {});
      expect(report.refused).toEqual([]);
      expect(liveFiles(root)).toEqual(before);
      expect(Object.keys(filesOf(root)).filter(isTemporary)).toEqual([]);
    }
  });

  it("leaves what it had not done to the next apply of what is still good", async () => {
    const { root, plan } = sample();
    await dyingAt(root, 40, () => applyMemoryFilesCompaction(root, plan, options));
    letTimePass(root);
    const report = await applyMemoryFilesCompaction(root, plan, options);
    expect(report.settled.map(({ id }) => id).toSorted()).toEqual(["1.1", "1.2", "1.3", "1.4", "1.5"]);
    expect(report.run).toBe(2);
    const undone = report.settled.filter(({ state }) => state === "undone").length;
    expect([undone > 0, report.applied.length]).toEqual([true, undone]);
  });
});

describe("a restore that dies", () => {
  it("at any step is gone on with by the next one", { timeout: 300_000 }, async () => {
    const { restoring, after } = await wholeRun();
    expect(restoring).toBeGreaterThan(50);
    for (let step = 0; step <= restoring; step += STRIDE) {
      const { root, plan } = sample();
      const before = liveFiles(root);
      await applyMemoryFilesCompaction(root, plan, options);
      await dyingAt(root, step, () => restoreMemoryFiles(root, { all: true }, {}));
      await expectOldOrNew(root, before, after);
      letTimePass(root);
      expect((await restoreMemoryFiles(root, { all: true }, {})).refused).toEqual([]);
      expect([step, liveFiles(root)]).toEqual([step, before]);
      expect(Object.keys(filesOf(root)).filter(isTemporary)).toEqual([]);
    }
  });

  it("into an edited file puts nothing back twice", { timeout: 120_000 }, async () => {
    const edited = () => {
      const { root, plan } = sample();
      return { root, plan: planOf(root, ...plan.changes.filter(({ id }) => id < 4)) };
    };
    const run = async (root: string) => restoreMemoryFiles(root, { all: true }, {});
    let last = -1;
    for (let step = 0, isOver = false; !isOver; step += STRIDE) {
      const { root, plan } = edited();
      await applyMemoryFilesCompaction(root, plan, options);
      for (const file of ["MEMORY.md", NOTE]) appendFileSync(join(root, file), "\n## New\nwritten since\n");
      const taken = await dyingAt(root, step, () => run(root));
      letTimePass(root);
      expect((await run(root)).refused).toEqual([]);
      for (const [file, text] of [
        ["MEMORY.md", "# Memory\n\n- a\n- a\n\n## Old\nold\n"],
        [NOTE, TEXT],
      ] as const) {
        expect([step, readFileSync(join(root, file), "utf8")]).toEqual([step, `${text}\n## New\nwritten since\n`]);
      }
      isOver = taken === last;
      last = taken;
    }
  });
});

async function expectOldOrNew(root: string, ...states: readonly Readonly<Record<string, string>>[]) {
  for (const [name, bytes] of Object.entries(liveFiles(root))) {
    if (isTemporary(name)) continue;
    expect([...states.map((state) => state[name]), AFTER_TIDY(name)]).toContain(bytes);
  }
}

describe("a process that is killed", () => {
  it("leaves old or new files, and the next run settles them", { timeout: 600_000 }, async () => {
    verifies("values/killed-between-write-and-rename");
    const { steps, after } = await wholeRun();
    const stride = isWhole ? 1 : Math.ceil(steps / 6);
    for (let step = 3; step < steps; step += stride) {
      const { root, plan } = sample();
      const before = liveFiles(root);
      const file = join(newWorkspace(), "plan.json");
      writeFileSync(file, JSON.stringify(plan));
      expect([step, await killedAt(root, step, file)]).toEqual([step, true]);
      await expectSettled(root, before, after);
      expect((await restoreMemoryFiles(root, { all: true }, {})).refused).toEqual([]);
      expect(liveFiles(root)).toEqual(before);
    }
  });
});

describe("what a dead run left beside other programs' files", () => {
  it("is told apart by where it stands: only in the archive, and where the run wrote", async () => {
    const other = `.agent-compact-${crypto.randomUUID()}.tmp`;
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: TEXT, [other]: "of a run at work" });
    mkdirSync(join(root, "memory/archive/journal"), { recursive: true });
    writeFileSync(join(root, `memory/archive/journal/${other}`), "half a jour");
    writeFileSync(join(root, "memory/archive/notes.tmp"), "mine");
    await apply(root);
    expect(readdirSync(join(root, "memory/archive/journal")).filter(isTemporary)).toEqual([]);
    expect(readFileSync(join(root, other), "utf8")).toBe("of a run at work");
    expect(readFileSync(join(root, "memory/archive/notes.tmp"), "utf8")).toBe("mine");
  });

  it("is unclear where the file was edited meanwhile, and then its copy is kept", async () => {
    const { root, plan } = sample();
    const copy = "memory/archive/removed/0001/3-2031-02-03.md";
    await applyMemoryFilesCompaction(root, plan, options);
    const journal = join(root, "memory/archive/journal/0001.json");
    writeFileSync(journal, readFileSync(journal, "utf8").replace('"state": "applied"', '"state": "applying"'));
    appendFileSync(join(root, NOTE), "edited\n");
    const { settled } = await apply(root);
    expect(settled.map(({ id, state }) => `${id} ${state}`).toSorted()).toEqual([
      "1.1 done",
      "1.2 done",
      "1.3 unclear",
      "1.4 done",
      "1.5 done",
    ]);
    expect(statSync(join(root, copy)).size).toBe(9);
    expect((await restoreMemoryFiles(root, { ids: ["1.3"] }, {})).restored).toMatchObject([{ how: "merged" }]);
    expect(readFileSync(join(root, NOTE), "utf8")).toBe(`${TEXT.replace("## B", "edited\n\n## B")}`);
  });
});
