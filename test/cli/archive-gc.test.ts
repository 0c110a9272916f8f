// `archive gc` and `archive list`: what would leave is shown, and only leaves when told to.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFsArchive } from "../../src/archive/archives.ts";
import { asRedactedList, summaryRecord } from "../archive/redacted-samples.ts";
import { call } from "./command-line.ts";

const DAY = 86_400_000;

/** Two sessions, ten steps each, one a day, the newest a day old. */
async function folderWithSteps(): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), "archive-gc-"));
  let now = Date.now() - 10 * DAY;
  const archive = createFsArchive({ path: join(cwd, ".compact", "archive"), now: () => now });
  for (let step = 1; step <= 10; step++) {
    for (const id of ["one", "two"]) {
      await archive.saveTranscript(id, step, asRedactedList([{ role: "user", content: "x".repeat(1000) }]));
      await archive.saveSummary(id, step, summaryRecord(id, step));
    }
    now += DAY;
  }
  return cwd;
}

const stepsIn = (cwd: string, session: string) =>
  readdirSync(join(cwd, ".compact", "archive", session)).filter((name) => name.startsWith("transcript")).length;
const eventsIn = (cwd: string, session: string) =>
  readFileSync(join(cwd, ".compact", "archive", session, "events.jsonl"), "utf8")
    .trim()
    .split("\n");

describe("archive gc", () => {
  it("says that nothing ever leaves without a limit, and how to set one", async () => {
    const cwd = await folderWithSteps();
    for (const argv of [[], ["--apply"]]) {
      const { code, stdout, stderr } = await call(["archive", "gc", ...argv], { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Nothing ever leaves this archive: no limit is set\. It holds 20 steps, /);
      expect(stdout).toContain("max_age_days: 90");
      expect(stdout).toContain("agent-compact archive gc --max-age-days 90");
    }
    const { stdout } = await call(["archive", "gc", "--json", "--apply"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ policy: null, steps: 20, expiring: [], applied: false });
    expect(stepsIn(cwd, "one")).toBe(10);
  });

  it("shows what would leave and why, what it frees and what to type, and removes nothing", async () => {
    const cwd = await folderWithSteps();
    const { code, stdout } = await call(["archive", "gc", "--max-age-days", "7.5"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/session +step +when +size +why\n +one +1 .* older than 7\.5 days\n +two +1 /);
    expect(stdout).toMatch(
      /\n6 of 20 steps would leave, which frees [\d.]+ KB of [\d.]+ KB\. Nothing has been removed\.\n/,
    );
    expect(stdout).toContain("agent-compact archive gc --max-age-days 7.5 --apply\n");
    const json = JSON.parse((await call(["archive", "gc", "--max-bytes", "5kb", "--json"], { cwd })).stdout) as object;
    expect(json).toMatchObject({
      policy: { max_age_days: null, max_bytes: 5000 },
      steps: 20,
      applied: false,
      expiring: expect.arrayContaining([expect.objectContaining({ session_id: "one", step: 1, reason: "size" })]),
    });
    expect(stepsIn(cwd, "one")).toBe(10);
    expect((await call(["archive", "gc", "--max-age-days", "100"], { cwd })).stdout).toMatch(
      /^Nothing is due to leave: 20/,
    );
  });

  it("removes when told to, and tells each step as an event", async () => {
    const cwd = await folderWithSteps();
    const { code, stdout, stderr } = await call(["archive", "gc", "--max-age-days", "7.5", "--apply"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^6 steps left the archive, [\d.]+ KB freed\.\n$/);
    expect([stepsIn(cwd, "one"), stepsIn(cwd, "two")]).toEqual([7, 7]);
    const events = eventsIn(cwd, "one").map((line) => JSON.parse(line) as { event: string; step: number });
    expect(events.map(({ event, step }) => `${event} ${step}`)).toEqual([1, 2, 3].map((n) => `compact.expired ${n}`));
    const json = JSON.parse(
      (await call(["archive", "gc", "--max-bytes", "1", "--apply", "--json"], { cwd })).stdout,
    ) as { removed: unknown[]; failed: unknown[]; freed_bytes: number };
    expect(json.removed).toHaveLength(12);
    expect(json).toMatchObject({ applied: true, failed: [] });
    expect([stepsIn(cwd, "one"), stepsIn(cwd, "two")]).toEqual([1, 1]);
    const after = await call(["archive", "gc", "--max-bytes", "1", "--apply"], { cwd });
    expect(after.stdout).toMatch(/0 steps left the archive, 0 B freed\.\nIt stays at [\d.]+ KB, above 1 B: the newest/);
    expect((await call(["archive", "verify"], { cwd })).stdout).toMatch(/^All is well: 2 sessions, 4 files, 4 hashes/);
  });

  it("goes by the configuration, and by flags instead of it", async () => {
    const cwd = await folderWithSteps();
    writeFileSync(join(cwd, "compact.yaml"), "storage:\n  retention:\n    max_age_days: 3\n");
    const configured = await call(["archive", "gc"], { cwd });
    expect(configured.stdout).toContain("16 of 20 steps would leave");
    expect(configured.stdout).toContain("agent-compact archive gc --apply\n");
    expect((await call(["archive", "gc", "--max-bytes", "1GB"], { cwd })).stdout).toMatch(/^Nothing is due to leave/);
  });

  it("refuses limits that are none", async () => {
    const cwd = await folderWithSteps();
    for (const argv of [
      ["--max-age-days", "0"],
      ["--max-age-days", "-1"],
      ["--max-age-days", "soon"],
      ["--max-bytes", "0"],
      ["--max-bytes", "1.5GB"],
      ["--max-bytes", "99999TB"],
      ["--max-bytes", ""],
      ["--archive-dir", "nowhere"],
    ]) {
      const { code, stdout } = await call(["archive", "gc", ...argv], { cwd });
      expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: "" });
    }
  });

  it("shows an example in its help", async () => {
    const { stdout } = await call(["archive", "gc", "--help"], { cwd: tmpdir() });
    expect(stdout).toContain("agent-compact archive gc --max-age-days 90");
    expect(stdout).toContain("The newest step of a session never leaves");
  });
});

describe("archive list", () => {
  it("tells steps, size, first and last of each session without a look into the records", async () => {
    const cwd = await folderWithSteps();
    writeFileSync(join(cwd, ".compact", "archive", "one", "summary-003.json"), "not a record");
    const { stdout } = await call(["archive", "list"], { cwd });
    expect(stdout).toMatch(/session +steps +size +first +last\n +one +10 +[\d.]+ KB +20\S+ \S+ +20\S+ \S+\n +two +10 /);
    expect(stdout).toMatch(/2 sessions, 20 steps, [\d.]+ KB\.\n$/);
    const { sessions } = JSON.parse(
      (await call(["archive", "list", "--json", "--session-id", "two"], { cwd })).stdout,
    ) as {
      sessions: { session_id: string; bytes: number; first_at: string; steps: object[] }[];
    };
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ session_id: "two", bytes: expect.any(Number), last_at: expect.any(String) });
    expect(sessions[0]?.steps[0]).toMatchObject({ step: 1, created_at: sessions[0]?.first_at, finished: true });
  });
});

describe("archive verify", () => {
  it("keeps warnings apart from errors, and fails for errors only", async () => {
    const cwd = await folderWithSteps();
    const folder = join(cwd, ".compact", "archive", "one");
    rmSync(join(folder, "transcript-pre-compact-002.jsonl"));
    rmSync(join(folder, "summary-002.json"));
    const warned = await call(["archive", "verify"], { cwd });
    expect(warned).toMatchObject({ code: 0, stderr: "" });
    expect(warned.stdout).toMatch(/^warning {2}one, step 2: Step 2 was archived, and its files are gone\.\n/);
    expect(warned.stdout).toMatch(/\n\n0 errors, 1 warning: 2 sessions, 38 files, 38 hashes checked\.\n$/);
    writeFileSync(join(folder, "transcript-pre-compact-003.jsonl"), '{"role":"user"}\n');
    const failed = await call(["archive", "verify"], { cwd });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(
      /^error {2}one, step 3: [\s\S]*\n\nwarning {2}one, step 2: [\s\S]*1 error, 1 warning: /,
    );
  });
});
