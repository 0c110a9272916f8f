// Importing a file again into a log that has gone on meanwhile: of two reviews the later one stands, what only the log
// knows stays, and a file kept by hand changes where the record does and nowhere else.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { importDecisions } from "../../../src/decisions/import/import-decisions.ts";
import { LONGEST_RECORD } from "../../../src/decisions/record-values.ts";
import { reviewDecision, setPreserve } from "../../../src/decisions/review-decision.ts";
import { folderOf, openLog } from "../folder/sample-folder.ts";
import { filled, logs } from "../levels/logs.ts";
import { options } from "../levels/records.ts";

const day = (days: number) => new Date(options.now + days * 86_400_000).toISOString();
const record = (rest: RawDecision = {}): RawDecision => ({
  id: "aaaa1111",
  decision: "Keep one queue",
  date: day(-90),
  category: "process",
  ...rest,
});
const reviewed = (rest: RawDecision = {}) =>
  record({ status: "reviewed", outcome: "success", reviewed_at: day(-30), lessons: "of the file", ...rest });
const found = async (log: DecisionLog) => (await log.read((reader) => reader.decisions(["aaaa1111"])))[0];
const review = (log: DecisionLog) =>
  reviewDecision(log, { id: "aaaa1111", outcome: "failure", lessons: "of the log", agent: "ada" }, options);

describe.each(logs)("importing again into a %s log", (_, open) => {
  it.each([
    ["a reviewed record", reviewed()],
    ["a reviewed record with a result and a reviewer", reviewed({ actual_result: "went well", reviewed_by: "bob" })],
    ["a review without a date", reviewed({ reviewed_at: undefined })],
    ["a review whose date cannot be read", reviewed({ reviewed_at: "lately" })],
    ["an accepted record", record({ status: "accepted" })],
    ["a record without a status", record()],
    ["a record with empty keys", record({ status: "accepted", outcome: null, lessons: null, superseded_by: null })],
    ["a record that its status says is superseded", record({ status: "superseded by bbbb2222" })],
    ["a record that is superseded", record({ status: "accepted", superseded_by: "bbbb2222", supersedes: [] })],
    ["a closed issue", reviewed({ issue_status: "closed (completed)", lessons: undefined })],
    ["an open issue", record({ status: "pending", issue_status: "open" })],
  ])("changes nothing of a later review, of a mark and of other keys: %s", async (_name, raw) => {
    const log = await filled(open, []);
    expect(await importDecisions(log, [raw])).toMatchObject({ added: 1 });
    await review(log);
    await setPreserve(log, { id: "aaaa1111", preserve: true }, options);
    await log.write((writer) => writer.change("aaaa1111", { mine: "added by hand", pattern: "One way" }));
    const before = await found(log);
    expect(await importDecisions(log, [raw])).toEqual({ added: 0, updated: 0, unchanged: 1, faults: [] });
    expect(await found(log)).toStrictEqual(before);
    expect(before).toMatchObject({ status: "reviewed", outcome: "failure", lessons: "of the log", isPreserved: true });
  });

  it("takes a later review of the file whole, and says nothing more of the one before", async () => {
    const log = await filled(open, []);
    await importDecisions(log, [record({ status: "accepted" })]);
    await review(log);
    const later = record({ status: "reviewed", outcome: "partial", reviewed_at: day(3), actual_result: "half" });
    expect(await importDecisions(log, [later])).toMatchObject({ updated: 1 });
    expect((await found(log))?.raw).toEqual({ ...later, lessons: null, reviewed_by: null });
    expect(await importDecisions(log, [later])).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it("lets a review stand beside what else the file says otherwise", async () => {
    const log = await filled(open, []);
    await importDecisions(log, [reviewed()]);
    await review(log);
    expect(await importDecisions(log, [reviewed({ context: "new", tags: ["x"] })])).toMatchObject({ updated: 1 });
    const merged = { context: "new", tags: ["x"], outcome: "failure", lessons: "of the log" };
    expect((await found(log))?.raw).toMatchObject(merged);
  });

  it("keeps what took its place, and takes another one that the file names", async () => {
    const byStatus = record({ status: "superseded by bbbb2222" });
    const log = await filled(open, []);
    await importDecisions(log, [byStatus]);
    await review(log);
    await importDecisions(log, [byStatus]);
    expect(await found(log)).toMatchObject({ status: "reviewed", supersededBy: "bbbb2222" });
    await importDecisions(log, [record({ status: "superseded by cccc3333" })]);
    expect(await found(log)).toMatchObject({ status: "reviewed", supersededBy: "cccc3333" });
  });

  it("keeps what took its place where a file reviews it, and where a file says so after a review", async () => {
    const log = await filled(open, [
      record({ status: "superseded by bbbb2222" }),
      record({ id: "dddd4444", status: "reviewed", outcome: "success", reviewed_at: day(-1) }),
      record({ id: "eeee5555", status: "superseded" }),
    ]);
    const files = [
      reviewed(),
      record({ id: "dddd4444", status: "superseded by bbbb2222" }),
      reviewed({ id: "eeee5555" }),
    ];
    await importDecisions(log, files);
    const read = await log.read((reader) => reader.decisions(["aaaa1111", "dddd4444", "eeee5555"]));
    expect(read.map(({ status, supersededBy, outcome }) => [status, supersededBy, outcome])).toEqual([
      ["reviewed", "bbbb2222", "success"],
      ["reviewed", "bbbb2222", "success"],
      ["superseded", "", "success"],
    ]);
    expect(await importDecisions(log, files)).toMatchObject({ updated: 0, unchanged: 3 });
  });

  it("does not take a tracker's closing for a review of what somebody has reviewed", async () => {
    const log = await filled(open, []);
    await importDecisions(log, [record({ status: "pending", issue_status: "open" })]);
    await review(log);
    const closed = record({ status: "reviewed", issue_status: "closed", reviewed_at: day(5), actual_result: "Done" });
    await importDecisions(log, [closed]);
    const { reviewed_at, ...merged } = (await found(log))?.raw ?? {};
    expect(merged).toMatchObject({ issue_status: "closed", outcome: "failure", lessons: "of the log" });
    expect(new Date(String(reviewed_at)).getTime()).toBe(options.now);
    expect(await importDecisions(log, [closed])).toMatchObject({ unchanged: 1 });
  });

  it("lists a record that is too large, with its size, and takes the others", async () => {
    const log = await filled(open, []);
    const large = record({ context: "x".repeat(LONGEST_RECORD) });
    for (const dryRun of [true, false]) {
      const report = await importDecisions(log, [large, record({ id: "bbbb2222" })], { dryRun });
      expect(report).toMatchObject({ added: 1, faults: [{ id: "aaaa1111", code: "UNREADABLE_RECORD" }] });
      expect(report.faults[0]?.message).toMatch(/has 800,\d{3} characters; the most is 800,000/);
    }
  });
});

describe("importing again into a folder", () => {
  const text = `# why we keep it
id: 'aaaa1111'  # the id
decision: "Keep one queue"
date: ${day(-90)}
category: process # ours
tags:
  - hand   # made
context: >-
  Only here,
  by hand
`;

  it("changes the key that changed, and no comment, no tag and no key beside it", async () => {
    const root = folderOf({ "a.yaml": text });
    const log = openLog(root);
    expect(await importDecisions(log, [record()])).toMatchObject({ unchanged: 1 });
    expect(readFileSync(join(root, "a.yaml"), "utf8")).toBe(text);
    expect(await importDecisions(log, [record({ category: "tooling", stakes: "high" })])).toMatchObject({ updated: 1 });
    expect(readFileSync(join(root, "a.yaml"), "utf8")).toBe(
      `${text.replace("category: process", "category: tooling")}stakes: high\n`,
    );
  });

  it("writes anew a file whose keys cannot be set one by one, and keeps what it says", async () => {
    const root = folderOf({ "a.yaml": `${text}stakes: &s [low]\nother: *s\n` });
    const log = openLog(root);
    expect(await importDecisions(log, [record({ stakes: "high" })])).toMatchObject({ updated: 1, faults: [] });
    expect((await found(log))?.raw).toMatchObject({
      stakes: "high",
      other: ["low"],
      tags: ["hand"],
      context: "Only here, by hand",
    });
  });
});
