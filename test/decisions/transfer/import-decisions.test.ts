import { describe, expect, it } from "vitest";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import { importDecisions } from "../../../src/decisions/import/import-decisions.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";

const record = (id: string, rest: RawDecision = {}): RawDecision => ({
  id,
  decision: `Decision ${id}`,
  date: "2031-01-01",
  ...rest,
});
const many = (count: number) => Array.from({ length: count }, (_, at) => record(`d-${String(at).padStart(5, "0")}`));

function logOf() {
  const log = createMemoryDecisionLog();
  const get = (id: string) => log.read(async (reader) => (await reader.decisions([id]))[0]?.raw);
  return { log, get };
}

describe("an import", () => {
  it("adds what is new, and the second time nothing", async () => {
    const { log } = logOf();
    const progress: number[] = [];
    const records = many(750);
    const first = await importDecisions(log, records, { onProgress: (done, total) => progress.push(done / total) });
    expect(first).toEqual({ added: 750, updated: 0, unchanged: 0, faults: [] });
    expect(progress).toEqual([0.4, 0.8, 1]);
    expect(await importDecisions(log, records)).toEqual({ added: 0, updated: 0, unchanged: 750, faults: [] });
  });

  it("updates what the file says otherwise, and keeps the mark of the log", async () => {
    const { log, get } = logOf();
    await importDecisions(log, [record("a", { preserve: true }), record("b"), record("c", { tags: ["x"] })]);
    await log.write((writer) => writer.change("c", { preserve: false }));
    const report = await importDecisions(log, [
      record("a", { preserve: false, context: "new" }),
      record("b", { preserve: true }),
      record("c", { preserve: true, tags: ["x"] }),
    ]);
    expect(report).toMatchObject({ added: 0, updated: 2, unchanged: 1 });
    expect(await get("a")).toEqual(record("a", { preserve: true, context: "new" }));
    expect(await get("b")).toEqual(record("b", { preserve: true }));
    expect(await get("c")).toEqual(record("c", { preserve: false, tags: ["x"] }));
  });

  it("does not undo a review that the file lacks, but an issue that was opened again is open", async () => {
    const { log, get } = logOf();
    const adr = record("adr", { status: "accepted" });
    const closed = record("issue", { status: "reviewed", issue_status: "closed (completed)", outcome: "success" });
    await importDecisions(log, [adr, closed]);
    await log.write((writer) => writer.change("adr", { status: "reviewed", outcome: "failure", lessons: "Ask first" }));
    const report = await importDecisions(log, [
      { ...adr, context: "new" },
      record("issue", { status: "pending", issue_status: "open (reopened)" }),
    ]);
    expect(report).toMatchObject({ added: 0, updated: 2 });
    expect(await get("adr")).toMatchObject({
      status: "reviewed",
      outcome: "failure",
      lessons: "Ask first",
      context: "new",
    });
    // Set to null, as a second review does it: what else stands in the file of the record is not touched.
    const reopened = { status: "pending", issue_status: "open (reopened)", outcome: null };
    expect(await get("issue")).toEqual(record("issue", reopened));
    expect(await importDecisions(log, [{ ...adr, context: "new" }])).toMatchObject({ unchanged: 1 });
  });

  it("lists what is no decision, and takes what only has a bad date", async () => {
    const { log } = logOf();
    const report = await importDecisions(log, [
      record("a", { date: "soon" }),
      { id: "b" },
      { decision: "x" },
      record("a"),
      record("c"),
    ]);
    expect(report).toMatchObject({ added: 2, updated: 0, unchanged: 0 });
    expect(report.faults.map(({ id, code }) => `${id} ${code}`)).toEqual([
      "a UNREADABLE_DATE",
      "b UNREADABLE_RECORD",
      "record 3 UNREADABLE_RECORD",
      "a DUPLICATE_ID",
    ]);
  });

  it("can be tried without writing", async () => {
    const { log, get } = logOf();
    await importDecisions(log, [record("a")]);
    const report = await importDecisions(log, [record("a", { context: "x" }), record("b")], { dryRun: true });
    expect(report).toEqual({ added: 1, updated: 1, unchanged: 0, faults: [] });
    expect(await get("b")).toBeUndefined();
    expect(await get("a")).toEqual(record("a"));
  });

  it("that is stopped goes on where it stopped", async () => {
    const { log } = logOf();
    const controller = new AbortController();
    const stopped = importDecisions(log, many(700), {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(stopped).rejects.toThrow();
    expect(await importDecisions(log, many(700))).toEqual({ added: 400, updated: 0, unchanged: 300, faults: [] });
  });
});
