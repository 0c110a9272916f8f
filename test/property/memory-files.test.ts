// The promises of memory files, on random workspaces: nothing outside the planned ranges changes, a second run finds nothing to
// do, whatever dies is settled, and a restore gives back every byte. 200 workspaces of each with
// PROPERTY_RUNS=10000 npx vitest run test/property/memory-files.test.ts
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyMemoryFilesCompaction } from "../../src/memory-files/apply-memory-files-compaction.ts";
import { type MemoryFilesPlan, sealPlan } from "../../src/memory-files/plan.ts";
import { restoreMemoryFiles } from "../../src/memory-files/restore-memory-files.ts";
import { planMemoryFilesCompaction } from "../../src/memory-files.ts";
import { filesOf, liveFiles, NOW, options } from "../memory-files/applying/sample-plan.ts";
import { dyingAt, killedAt, letTimePass } from "../memory-files/journal/dying.ts";
import { verifies } from "../requirements/verifies.ts";
import { makeWorkspace, removeWorkspace, wildness, wildPlan, workspaceOf } from "./memory-workspaces.ts";

const RUNS = Math.max(1, Math.ceil(Number(process.env.PROPERTY_RUNS ?? 100) / 50));
/** Each starts a Node of its own. So many at least that one of them dies, whatever is drawn. */
const KILLS = RUNS <= 20 ? 8 : RUNS;
/** Most work is done in few steps; a late one finds it over. */
const stepOfDeath = fc.oneof(fc.nat(5), fc.nat(60));
const long = { timeout: 3_600_000 };

const levers = fc.record({
  aggressive: fc.boolean(),
  moreThanHalf: fc.boolean(),
  levers: fc.subarray(["contained", "move", "digest"] as const),
  maxMemoryKb: fc.constantFrom(0.1, 0.3, 15),
});

function planned(root: string, asked: typeof levers extends fc.Arbitrary<infer Value> ? Value : never) {
  return planMemoryFilesCompaction(root, { ...asked }, { now: () => NOW, count: options.count });
}

const applied = (root: string, plan: MemoryFilesPlan) => applyMemoryFilesCompaction(root, plan, options);
const restoreAll = (root: string) => restoreMemoryFiles(root, { all: true }, {});

type Drawn = typeof workspaceOf extends fc.Arbitrary<infer Value> ? Value : never;

/** In a workspace that is gone afterwards. */
async function within(drawn: Drawn, work: (root: string, names: readonly string[]) => Promise<void>): Promise<void> {
  const { root, names } = makeWorkspace(drawn);
  try {
    await work(root, names);
  } finally {
    removeWorkspace(root);
  }
}

/** Of each file, what the plan's ranges leave, and what they put in. */
function expectedAfter(
  root: string,
  before: Readonly<Record<string, string>>,
  plan: MemoryFilesPlan,
): Map<string, string> {
  const cuts = new Map<string, { from: number; to: number; insert: string }[]>();
  for (const change of plan.changes.filter(({ apply }) => apply)) {
    if (change.kind === "digest" || change.kind === "rotate") continue;
    const own = cuts.get(change.file) ?? [];
    for (const { byte_from, byte_to, insert = "" } of change.ranges) {
      own.push({ from: byte_from, to: byte_to, insert: Buffer.from(insert).toString("latin1") });
    }
    cuts.set(change.file, own);
  }
  const after = new Map(Object.entries(before));
  for (const [file, all] of cuts) {
    let text = readFileSync(join(root, file), "latin1");
    for (const { from, to, insert } of all.toSorted((a, b) => b.from - a.from)) {
      text = `${text.slice(0, from)}${insert}${text.slice(to)}`;
    }
    after.set(file, text);
  }
  return after;
}

async function expectPromises(root: string, plan: MemoryFilesPlan): Promise<void> {
  const before = liveFiles(root);
  const due = expectedAfter(root, before, plan);
  const report = await applied(root, plan);
  const whole = new Set(
    plan.changes.flatMap((change) =>
      change.kind === "digest" ? change.notes : change.kind === "rotate" ? [change.file] : [],
    ),
  );
  const refused = new Set(report.refused.map(({ file }) => file));
  for (const [name, text] of due) {
    if (!whole.has(name))
      expect([name, liveFiles(root)[name]]).toEqual([name, refused.has(name) ? before[name] : text]);
  }
  await restoreAll(root);
  expect(liveFiles(root)).toEqual(before);
}

describe(`over ${RUNS} random workspaces`, () => {
  it("a plan with nothing to apply changes no byte, no listing and no time", long, async () => {
    const property = fc.asyncProperty(workspaceOf, levers, (drawn, asked) =>
      within(drawn, async (root) => {
        const { plan } = await planned(root, asked);
        const before = [filesOf(root), timesOf(root)];
        const changes = plan.changes.map((change) => ({ ...change, apply: false }));
        await applied(root, { ...plan, changes });
        expect([filesOf(root), timesOf(root)]).toEqual(before);
      }),
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  it("what is planned changes its ranges alone, and comes back to the byte", long, async () => {
    verifies("rulings/edits-by-offset");
    let changes = 0;
    const property = fc.asyncProperty(workspaceOf, levers, (drawn, asked) =>
      within(drawn, async (root) => {
        const { plan } = await planned(root, asked);
        changes += plan.changes.length;
        await expectPromises(root, plan);
      }),
    );
    await fc.assert(property, { numRuns: RUNS, seed: 20310808 });
    // About one run in two plans something: without any, the runs would prove nothing.
    expect(changes).toBeGreaterThanOrEqual(Math.floor(RUNS / 4));
  });

  it("a second run finds nothing to do", long, async () => {
    const property = fc.asyncProperty(workspaceOf, levers, (drawn, asked) =>
      within(drawn, async (root) => {
        const { plan } = await planned(root, asked);
        expect((await applied(root, plan)).refused).toEqual([]);
        const again = await planned(root, asked);
        expect(again.plan.changes.filter(({ apply }) => apply)).toEqual([]);
      }),
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  it("whatever a person plans changes its ranges alone, and comes back to the byte", long, async () => {
    const property = fc.asyncProperty(workspaceOf, wildness, (drawn, wild) =>
      within(drawn, (root, names) => expectPromises(root, wildPlan(root, names, linesOf(root), wild))),
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  it(
    "a run that dies, and another that dies while it settles it, leave nothing that is not settled",
    long,
    async () => {
      const property = fc.asyncProperty(workspaceOf, wildness, fc.nat(120), fc.nat(30), (drawn, wild, first, second) =>
        within(drawn, async (root, names) => {
          const plan = wildPlan(root, names, linesOf(root), wild);
          const before = liveFiles(root);
          await dyingAt(root, first, () => applied(root, plan));
          letTimePass(root);
          await dyingAt(root, second, () => applied(root, sealPlan({ ...plan, changes: [] })));
          await expectSettled(root, before);
        }),
      );
      await fc.assert(property, { numRuns: RUNS });
    },
  );
});

describe(`over ${KILLS} random workspaces whose process is killed`, () => {
  it("each file is old or new, the next run leaves no temporary file, and all comes back", long, async () => {
    let killed = 0;
    const property = fc.asyncProperty(workspaceOf, wildness, stepOfDeath, (drawn, wild, step) =>
      within(drawn, async (root, names) => {
        const plan = wildPlan(root, names, linesOf(root), wild);
        const before = liveFiles(root);
        // Beside the workspace, which holds nothing that is not its own.
        const file = `${root}.json`;
        writeFileSync(file, JSON.stringify(plan));
        try {
          if (await killedAt(root, step, file)) killed += 1;
        } finally {
          removeWorkspace(file);
        }
        await expectSettled(root, before);
      }),
    );
    await fc.assert(property, { numRuns: KILLS });
    expect(killed).toBeGreaterThan(0);
  });
});

async function expectSettled(root: string, before: Readonly<Record<string, string>>): Promise<void> {
  letTimePass(root);
  const half = liveFiles(root);
  const plan = { ...wildEmpty(root), changes: [] };
  const report = await applied(root, plan);
  expect(report.refused).toEqual([]);
  expect(report.settled.filter(({ state }) => state === "unclear")).toEqual([]);
  expect(Object.keys(filesOf(root)).filter((name) => name.includes(".tmp"))).toEqual([]);
  // Edits are whole by the time of the crash: settling takes notes of a digest away, and rewrites nothing.
  for (const [name, text] of Object.entries(liveFiles(root))) expect([name, half[name]]).toEqual([name, text]);
  const restored = await restoreAll(root);
  expect(restored.refused).toEqual([]);
  expect(liveFiles(root)).toEqual(before);
}

function wildEmpty(root: string): MemoryFilesPlan {
  return wildPlan(root, [], () => 0, { kinds: [], cuts: [], isDigested: false, isSection: false });
}

function linesOf(root: string): (name: string) => number {
  return (name) =>
    readFileSync(join(root, name), "latin1")
      .split(/\r\n|\n/)
      .filter((text, at, all) => at < all.length - 1 || text !== "").length;
}

function timesOf(root: string): readonly (readonly [string, number])[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  return ["", ...names].map((name) => [name, statSync(join(root, name)).mtimeMs] as const);
}
