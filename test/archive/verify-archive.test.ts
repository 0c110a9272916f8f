// What `archive verify` can tell of an archive that something has happened to.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createFsArchive, createMemoryArchive } from "../../src/archive/archives.ts";
import { findLostSteps } from "../../src/archive/catalog.ts";

import { verifyArchive } from "../../src/archive/verify-archive.ts";
import { asRedactedList, summaryRecord } from "./redacted-samples.ts";

const user = (content: string) => ({ role: "user", content });
let path = "";
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "verify-"));
});
const inSession = (name: string) => join(path, "s", name);
const transcript = (step: number) => inSession(`transcript-pre-compact-00${step}.jsonl`);
const summary = (step: number) => inSession(`summary-00${step}.json`);

/** Each with messages of its own, so that one's damage is no other's. */
async function archiveOfSteps(count: number, archive = createFsArchive({ path })) {
  for (let step = 1; step <= count; step++) {
    const list = ["one", "two", "three"].map((text) => user(`${text} of step ${step}`));
    await archive.saveTranscript("s", step, asRedactedList(list));
    await archive.saveSummary("s", step, summaryRecord("s", step, { pruned: [2, 3] }));
  }
  return archive;
}

async function faultsOf(archive = createFsArchive({ path })) {
  const { faults } = await verifyArchive(archive, undefined, await findLostSteps(path));
  return faults.map(({ step, kind, severity }) => `${step} ${kind} ${severity}`);
}

describe("verifyArchive", () => {
  it("finds nothing in a sound archive, and says how much it looked at", async () => {
    const sound = { sessions: 1, files: 6, hashes: 6, without_hash: 0, faults: [] };
    expect(await verifyArchive(await archiveOfSteps(3))).toEqual(sound);
    expect(await verifyArchive(await archiveOfSteps(3, createMemoryArchive()), "s")).toEqual({
      ...sound,
      hashes: 0,
      without_hash: 6,
    });
    await expect(verifyArchive(createFsArchive({ path }), "none")).rejects.toMatchObject({ kind: "NotFound" });
  });

  it("finds each kind of fault", async () => {
    const archive = await archiveOfSteps(5);
    await archive.saveTranscript("s", 6, asRedactedList([user("a")]));
    await archive.saveTranscript("s", 7, asRedactedList([user("a")]));
    await archive.saveSummary("s", 7, summaryRecord("s", 7, { text: "key=<REDACTED>", summary_hash: "f".repeat(64) }));
    appendFileSync(transcript(1), "{torn");
    rmSync(transcript(2));
    writeFileSync(summary(3), "{");
    writeFileSync(summary(4), JSON.stringify(summaryRecord("s", 4, { text: "forged", summary_hash: "0".repeat(64) })));
    rmSync(summary(5));
    expect(await faultsOf(archive)).toEqual([
      "1 unreadable_lines error",
      "2 transcript_missing error",
      "3 summary_unreadable error",
      "4 summary_changed error",
      "5 summary_missing error",
      "6 summary_missing warning",
    ]);
  });

  it("finds a change that reads well, by its hash", async () => {
    await archiveOfSteps(3);
    writeFileSync(transcript(1), readFileSync(transcript(1), "utf8").replace("two", "TWO"));
    const record = JSON.parse(readFileSync(summary(2), "utf8")) as object;
    writeFileSync(summary(2), JSON.stringify({ ...record, tokens: 11 }));
    expect(await faultsOf()).toEqual(["1 transcript_changed error", "2 summary_changed error"]);
    rmSync(join(path, "catalog.jsonl"));
    expect(await faultsOf()).toEqual([]);
    expect(await verifyArchive(createFsArchive({ path }))).toMatchObject({ files: 6, hashes: 0, without_hash: 6 });
  });

  it("finds messages that a summary stands for and the transcript has no longer, without any hash", async () => {
    await archiveOfSteps(2);
    rmSync(join(path, "catalog.jsonl"));
    const [first = ""] = readFileSync(transcript(1), "utf8").split("\n");
    writeFileSync(transcript(1), `${first}\n`);
    const { hashes, faults } = await verifyArchive(createFsArchive({ path }));
    expect(hashes).toBe(0);
    expect(faults).toMatchObject([{ step: 1, kind: "messages_missing", severity: "error", location: transcript(1) }]);
  });

  it("warns of a step that is gone as a whole, but not of one that was removed", async () => {
    const archive = await archiveOfSteps(4);
    await archive.removeStep("s", 1);
    rmSync(transcript(2));
    rmSync(summary(2));
    expect(await faultsOf()).toEqual(["2 step_missing warning"]);
    await archive.saveTranscript("other", 1, asRedactedList([user("a")]));
    rmSync(join(path, "other", "transcript-pre-compact-001.jsonl"));
    const { sessions, faults } = await verifyArchive(archive, undefined, await findLostSteps(path));
    expect(sessions).toBe(1);
    expect(faults.map(({ session_id, step }) => [session_id, step])).toEqual([
      ["s", 2],
      ["other", 1],
    ]);
    expect(await findLostSteps(path, "s")).toHaveLength(1);
  });
});
