// What apply refuses: the change that is at fault, or the whole plan. What is refused leaves its file as it was.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyMemoryFilesCompaction } from "../../../src/memory-files/apply-memory-files-compaction.ts";
import { type PlannedChange, sealPlan } from "../../../src/memory-files/plan.ts";
import { verifies } from "../../requirements/verifies.ts";
import { countSteps } from "../journal/count-steps.mjs";
import { codeOf, newWorkspace } from "../workspace/workspace-folder.ts";
import {
  apply,
  digest,
  filesOf,
  liveFiles,
  NOW,
  options,
  planOf,
  read,
  removal,
  rotation,
  tidy,
} from "./sample-plan.ts";

const NOTE = "memory/2031-02-03.md";
const OTHER = "memory/2031-02-04.md";
const TEXT = "# Day\n\n## A\none\n\n## B\ntwo\n";
const sample = () => newWorkspace({ "MEMORY.md": "# Memory\n\n- two\n- two\n", [NOTE]: TEXT, [OTHER]: TEXT });
const asRoot = process.getuid?.() === 0 || process.platform === "win32";

async function codesOf(root: string, ...changes: readonly PlannedChange[]): Promise<readonly string[]> {
  return (await apply(root, ...changes)).refused.map(({ change, code }) => `${change} ${code}`);
}

describe("a plan that is not of this workspace, or none", () => {
  it("changes nothing", async () => {
    const root = sample();
    const plan = planOf(root, removal(root, 1, NOTE, [6, 7, "B"]));
    const before = filesOf(root);
    const other = sample();
    expect(await codeOf(applyMemoryFilesCompaction(other, plan, options))).toBe("InvalidInput OTHER_WORKSPACE");
    expect(await codeOf(applyMemoryFilesCompaction(root, { ...plan, version: 1 }, options))).toBe(
      "InvalidInput INVALID_PLAN",
    );
    expect(await codeOf(applyMemoryFilesCompaction(join(root, "none"), plan, options))).toBe(
      "NotFound WORKSPACE_NOT_FOUND",
    );
    expect(filesOf(root)).toEqual(before);
    expect(existsSync(join(root, "memory/archive"))).toBe(false);
  });

  it("is taken through a link to the workspace", async () => {
    const root = sample();
    const link = `${root}-link`;
    symlinkSync(root, link);
    try {
      const report = await applyMemoryFilesCompaction(link, planOf(root, removal(root, 1, NOTE, [6, 7, "B"])), options);
      expect(report.applied).toHaveLength(1);
    } finally {
      rmSync(link);
    }
  });
});

describe("a file changed since the plan", () => {
  it("is refused and intact, the others go on", async () => {
    verifies("values/append-between-plan-and-apply");
    const root = sample();
    const changes = [removal(root, 1, NOTE, [6, 7, "B"]), removal(root, 2, OTHER, [6, 7, "B"])];
    appendFileSync(join(root, NOTE), "just written\n");
    const report = await apply(root, ...changes);
    expect(report.refused).toEqual([
      { change: 1, kind: "remove_sections", file: NOTE, code: "STALE_PLAN", message: expect.stringContaining(NOTE) },
    ]);
    expect(report.applied.map(({ file }) => file)).toEqual([OTHER]);
    expect([read(root, NOTE), read(root, OTHER)]).toEqual([`${TEXT}just written\n`, "# Day\n\n## A\none\n\n"]);
  });

  it("stops what rests on it: removals from notes, when the memory has changed", async () => {
    const root = sample();
    const changes = [removal(root, 1, NOTE, [6, 7, "B"]), rotation(root, 2, OTHER)];
    writeFileSync(join(root, OTHER), "x".repeat(31_000));
    const both = [changes[0] as PlannedChange, rotation(root, 2, OTHER)];
    writeFileSync(join(root, "MEMORY.md"), "# Memory\n");
    const report = await apply(root, ...both);
    expect(report.refused.map(({ code }) => code)).toEqual(["STALE_PLAN"]);
    expect(report.applied.map(({ kind }) => kind)).toEqual(["rotate"]);
  });

  it("is not one that this run has changed: the memory is tidied after the notes", async () => {
    const root = sample();
    const report = await apply(root, tidy(root, 1, "MEMORY.md", [4, 4]), removal(root, 2, NOTE, [6, 7, "B"]));
    expect([report.refused, report.applied.map(({ id }) => id)]).toEqual([[], ["1.2", "1.1"]]);
  });

  it("is refused when it is gone", async () => {
    const root = sample();
    const change = removal(root, 1, NOTE, [6, 7, "B"]);
    rmSync(join(root, NOTE));
    expect(await codesOf(root, change)).toEqual(["1 STALE_PLAN"]);
    expect(existsSync(join(root, "memory/archive"))).toBe(false);
  });
});

describe("a change that is none for its file", () => {
  it("is refused: wrong kinds, imports, ranges that are not whole lines or taken twice", async () => {
    const root = newWorkspace({
      "MEMORY.md": "# Memory\n@more.md\n- two\n- two\n",
      "more.md": "a\na\n",
      "other.md": "a\na\n",
      [NOTE]: TEXT,
      [OTHER]: TEXT,
    });
    const before = liveFiles(root);
    const inner = removal(root, 3, NOTE, [6, 7, "B"]);
    const cut = { ...inner, ranges: inner.ranges.map((range) => ({ ...range, byte_to: range.byte_to - 1 })) };
    const far = { ...inner, id: 4, ranges: inner.ranges.map((range) => ({ ...range, byte_to: range.byte_to + 50 })) };
    expect(
      await codesOf(
        root,
        tidy(root, 1, "more.md", [2, 2]),
        tidy(root, 2, "other.md", [2, 2]),
        cut,
        far,
        tidy(root, 5, NOTE, [2, 2]),
        removal(root, 6, "MEMORY.md", [3, 3]),
        removal(root, 7, OTHER, [3, 5, "A", "no line end"]),
      ),
    ).toEqual([3, 4, 6, 7, 1, 2, 5].map((change) => `${change} INVALID_CHANGE`));
    expect(liveFiles(root)).toEqual(before);
  });

  it("is refused where another one has the same lines, or the whole note", async () => {
    const root = sample();
    writeFileSync(join(root, OTHER), "x\n".repeat(16_000));
    const codes = await codesOf(
      root,
      removal(root, 1, NOTE, [3, 7, "A"]),
      removal(root, 2, NOTE, [6, 7, "B"]),
      rotation(root, 3, OTHER),
      removal(root, 4, OTHER, [1, 1]),
      digest(root, 5, "2031-02", NOTE, OTHER),
    );
    expect(codes).toEqual(["2 INVALID_CHANGE", "4 INVALID_CHANGE", "5 INVALID_CHANGE"]);
    expect(read(root, NOTE)).toBe("# Day\n\n");
  });

  it("is refused for a note of today or later, anywhere on Earth", async () => {
    const files = ["2031-06-14", "2031-06-15", "2031-06-16", "2031-06-15-slug"].map((date) => `memory/${date}.md`);
    const root = newWorkspace({ "MEMORY.md": "x\n", ...Object.fromEntries(files.map((file) => [file, TEXT])) });
    const changes = files.map((file, index) => removal(root, index + 1, file, [6, 7, "B"]));
    expect((await codesOf(root, ...changes)).toSorted()).toEqual(["2 IN_USE", "3 IN_USE", "4 IN_USE"]);
    const early = { ...options, now: NOW - 24 * 3_600_000 };
    const again = newWorkspace({ "MEMORY.md": "x\n", [files[0] as string]: TEXT });
    const report = await applyMemoryFilesCompaction(
      again,
      planOf(again, removal(again, 1, files[0] as string, [6, 7])),
      early,
    );
    expect(report.refused.map(({ code }) => code)).toEqual(["IN_USE"]);
  });
});

describe("what fails in the middle", () => {
  it.skipIf(asRoot)("is refused with its code, leaves nothing in the archive, and the others go on", async () => {
    const root = newWorkspace({ "MEMORY.md": "x\n", "memory/a/": "", "memory/b/": "" });
    mkdirSync(join(root, "memory/a"), { recursive: true });
    const glob = "memory/*/*.md";
    for (const name of ["a", "b"]) writeFileSync(join(root, `memory/${name}/2031-02-03.md`), TEXT);
    const plan = planOf(
      root,
      removal(root, 1, "memory/a/2031-02-03.md", [6, 7, "B"]),
      removal(root, 2, "memory/b/2031-02-03.md", [6, 7, "B"]),
    );
    chmodSync(join(root, "memory/a"), 0o555);
    try {
      const given = sealPlan({ ...plan, options: { ...plan.options, notes_glob: glob } });
      const report = await applyMemoryFilesCompaction(root, given, options);
      expect(report.refused.map(({ change, code }) => `${change} ${code}`)).toEqual(["1 EACCES"]);
      expect(report.applied.map(({ id }) => id)).toEqual(["1.2"]);
      expect(Object.keys(filesOf(root)).filter((name) => name.startsWith("memory/archive/removed"))).toEqual([
        "memory/archive/removed/0001/2-2031-02-03.md",
      ]);
    } finally {
      chmodSync(join(root, "memory/a"), 0o755);
    }
  });

  it("is refused when the disk is full at any one step, and nothing of it stays in the archive", async () => {
    let [refusals, failures] = [0, 0];
    for (let full = 0; full < 40; full++) {
      const root = sample();
      const before = liveFiles(root);
      let step = 0;
      const stop = countSteps(root, () => {
        if (step++ === full) throw Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" });
      });
      const changes = [removal(root, 1, NOTE, [6, 7, "B"]), removal(root, 2, OTHER, [6, 7, "B"])];
      const report = await apply(root, ...changes)
        .catch((error) => error)
        .finally(stop);
      const archived = Object.keys(filesOf(root)).filter((name) => /\/removed\/.*\.md$/.test(name));
      if (report instanceof Error) {
        failures += 1;
        expect(report).toMatchObject({ kind: "StoreFailed", data: { reason: "ENOSPC" } });
        expect([archived, liveFiles(root)]).toEqual([[], before]);
        continue;
      }
      refusals += report.refused.length;
      expect(report.refused.every(({ code }: { code: string }) => code === "ENOSPC")).toBe(true);
      expect(report.applied.length).toBe(2 - report.refused.length);
      expect(archived).toHaveLength(report.applied.length);
      for (const { file } of report.refused) expect(liveFiles(root)[file]).toBe(before[file]);
    }
    expect([refusals > 4, failures > 2]).toEqual([true, true]);
  });

  it("is refused where the archive cannot be written, and the others go on", async () => {
    const root = newWorkspace({
      "MEMORY.md": "x\n",
      [NOTE]: TEXT,
      [OTHER]: "x\n".repeat(16_000),
      "memory/archive/removed": "",
    });
    const report = await apply(root, removal(root, 1, NOTE, [6, 7, "B"]), rotation(root, 2, OTHER));
    expect(report.refused).toMatchObject([{ change: 1, code: expect.stringMatching(/^(?:EEXIST|ENOTDIR)$/) }]);
    expect(report.applied.map(({ id }) => id)).toEqual(["1.2"]);
    expect(read(root, NOTE)).toBe(TEXT);
  });

  it("stops at an aborted signal between two changes, with what is done in the journal", async () => {
    const root = sample();
    const plan = planOf(root, removal(root, 1, NOTE, [6, 7, "B"]), removal(root, 2, OTHER, [6, 7, "B"]));
    const before = filesOf(root);
    const aborted = { ...options, signal: AbortSignal.abort() };
    await expect(applyMemoryFilesCompaction(root, plan, aborted)).rejects.toMatchObject({ name: "AbortError" });
    expect(filesOf(root)).toEqual(before);
  });

  it("never writes through an archive that leads out", async () => {
    const outside = newWorkspace({});
    for (const link of ["memory/archive", "memory/archive/removed", "memory/archive/journal"]) {
      const root = sample();
      mkdirSync(join(root, link, ".."), { recursive: true });
      symlinkSync(outside, join(root, link));
      const before = liveFiles(root);
      const outcome = await apply(root, removal(root, 1, NOTE, [6, 7, "B"])).then(
        ({ refused }) => refused[0]?.code,
        ({ code }) => code,
      );
      expect([link, outcome]).toEqual([link, "OUTSIDE_WORKSPACE"]);
      expect(liveFiles(root)).toEqual(before);
    }
    expect(filesOf(outside)).toEqual({});
  });
});

describe("a plan with nothing to apply", () => {
  it("changes no byte, no time and no listing", async () => {
    const root = sample();
    const stats = () => ["", NOTE, OTHER, "MEMORY.md", "memory"].map((name) => statSync(join(root, name)).mtimeMs);
    const [files, times] = [filesOf(root), stats()];
    const passed = { ...removal(root, 1, NOTE, [6, 7, "B"]), apply: false };
    for (const changes of [[], [passed]]) {
      const report = await apply(root, ...changes);
      expect(report).toMatchObject({ run: null, applied: [], refused: [], settled: [], rotated: false });
      expect(report.memory_size_after).toBe(report.memory_size_before);
    }
    expect([filesOf(root), stats()]).toEqual([files, times]);
    await apply(root, removal(root, 1, NOTE, [6, 7, "B"]));
    const journal = statSync(join(root, "memory/archive/journal")).mtimeMs;
    await apply(root);
    expect(statSync(join(root, "memory/archive/journal")).mtimeMs).toBe(journal);
  });
});
