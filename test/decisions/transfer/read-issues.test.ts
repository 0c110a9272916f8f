import { describe, expect, it } from "vitest";
import { readDecisionRecords } from "../../../src/decisions/import/read-decision-records.ts";
import { verifies } from "../../requirements/verifies.ts";

const read = (text: string, name = "issues.jsonl") => readDecisionRecords([{ name, text }]);
const issue = (fields: object) => ({
  id: "x-1",
  title: "Split the build",
  status: "open",
  created_at: "2031-01-02T03:04:05Z",
  ...fields,
});
const one = (fields: object) => {
  const { records, faults } = read(JSON.stringify(issue(fields)));
  expect(faults).toEqual([]);
  return records[0] ?? {};
};

describe("an issue", () => {
  it("of beads that was closed without a word on what came of it is not reviewed", () => {
    verifies("decisions/process-protect");
    const record = one({
      status: "closed",
      description: "The build takes 41 minutes.",
      priority: 1,
      issue_type: "task",
      labels: ["ci"],
      created_by: "actor",
      closed_at: "2031-01-05T00:00:00+09:00",
      close_reason: "Takes 9 minutes now",
    });
    expect(record).toEqual({
      id: "x-1",
      decision: "Split the build",
      date: "2031-01-02T03:04:05Z",
      category: "task",
      status: "closed",
      issue_status: "closed",
      recorded_by: "actor",
      context: "The build takes 41 minutes.",
      tags: ["ci"],
      priority: 1,
      actual_result: "Takes 9 minutes now",
      closed_at: "2031-01-05T00:00:00+09:00",
    });
  });

  it("that is open is pending, whatever it says beside", () => {
    expect(one({ status: "in_progress", closed_at: "2031-01-05", close_reason: "x" })).toEqual({
      id: "x-1",
      decision: "Split the build",
      date: "2031-01-02T03:04:05Z",
      status: "pending",
      issue_status: "in_progress",
    });
  });

  it("that was deleted is left out, and the reading says how many were", () => {
    const tombstone = { status: "tombstone", deleted_at: "2031-02-01T00:00:00Z", delete_reason: "spam" };
    const lines = [issue({ id: "a", ...tombstone }), issue({ id: "b" }), issue({ id: "c", ...tombstone })];
    const { records, faults } = read(lines.map((each) => JSON.stringify(each)).join("\n"));
    expect(records.map(({ id }) => id)).toEqual(["b"]);
    expect(faults.map(({ message }) => message)).toEqual(["2 deleted issues of issues.jsonl are left out."]);
  });

  it.each([
    ["Implemented the retry in client.ts, with tests", "success"],
    ["Fixed: the cache no longer grows", "success"],
    ["Already fixed in 0a1b2c3d", "success"],
    ["PR #12 reviewed, tested and merged", "success"],
    ["All children complete", "success"],
    ["Partially implemented", undefined],
    ["Implemented partly, the rest in x-9", "partial"],
    ["Added the flag, but not its documentation", undefined],
    ["Won't fix - nobody needs it", "abandoned"],
    ["Duplicate of x-3", "abandoned"],
    ["Wrong repo", "abandoned"],
    ["No longer needed", "abandoned"],
    ["Closed", undefined],
    ["Not fixed, reopened as x-4", undefined],
    ["Reviewed the design. Requested changes", undefined],
    ["Queue empty, nothing to do", undefined],
  ])("closed with %j came out as %s", (close_reason, outcome) => {
    verifies("decisions/process-protect");
    const record = one({ status: "closed", closed_at: "2031-02-01T00:00:00Z", close_reason });
    expect(record.outcome).toBe(outcome);
    expect(record.status).toBe(outcome === undefined ? "closed" : "reviewed");
    expect(record).toHaveProperty(outcome === undefined ? "closed_at" : "reviewed_at", "2031-02-01T00:00:00Z");
  });

  it.each([
    [
      { state: "CLOSED", stateReason: "COMPLETED" },
      { status: "reviewed", outcome: "success" },
    ],
    [
      { state: "closed", state_reason: "not_planned" },
      { status: "reviewed", outcome: "abandoned" },
    ],
    [
      { state: "closed", state_reason: "duplicate" },
      { status: "closed", tags: ["bug", "duplicate"] },
    ],
    [
      { state: "closed", state_reason: null },
      { status: "closed", issue_status: "closed" },
    ],
    [
      { state: "open", state_reason: "reopened" },
      { status: "pending", issue_status: "open (reopened)" },
    ],
  ])("of GitHub, %j", (state, expected) => {
    const { records } = read(
      JSON.stringify([
        {
          number: 12,
          title: "Split",
          body: "b",
          labels: [{ name: "bug" }],
          closedAt: "2031-01-05T00:00:00Z",
          createdAt: "2031-01-01T00:00:00Z",
          author: { login: "one" },
          url: "https://github.com/acme/shop/issues/12",
          ...state,
        },
      ]),
      "gh.json",
    );
    expect(records[0]).toMatchObject({
      id: "acme-shop-12",
      decision: "Split",
      context: "b",
      recorded_by: "one",
      ...expected,
    });
    if (!("outcome" in expected)) expect(records[0]).not.toHaveProperty("outcome");
  });
});

describe("links of issues", () => {
  const link = (from: string, to: string, type: string) => ({
    dependencies: [{ issue_id: from, depends_on_id: to, type }],
  });
  const read2 = (...issues: object[]) =>
    new Map(
      read(issues.map((each) => JSON.stringify(issue(each))).join("\n")).records.map((record) => [record.id, record]),
    );

  it("say that the later of two stands, in whichever direction they were written", () => {
    const found = read2(
      { id: "old-1", created_at: "2031-01-01T00:00:00Z" },
      { id: "new-1", created_at: "2031-02-01T00:00:00Z", ...link("new-1", "old-1", "supersedes") },
      { id: "old-2", created_at: "2031-01-01T00:00:00Z", ...link("old-2", "new-2", "supersedes") },
      { id: "new-2", created_at: "2031-02-01T00:00:00Z" },
    );
    expect(found.get("new-1")).toMatchObject({ supersedes: ["old-1"] });
    expect(found.get("old-2")).toMatchObject({ superseded_by: "new-2" });
    expect(found.get("new-2")).not.toHaveProperty("superseded_by");
  });

  it("let the closed one yield where the other is not there, and a duplicate always", () => {
    const found = read2(
      { id: "a", status: "closed", ...link("a", "gone", "supersedes") },
      { id: "b", ...link("b", "gone", "supersedes") },
      { id: "c", ...link("c", "a", "duplicates") },
      { id: "d", ...link("d", "a", "blocks") },
    );
    expect(found.get("a")).toMatchObject({ superseded_by: "gone" });
    expect(found.get("b")).toMatchObject({ supersedes: ["gone"] });
    expect(found.get("c")).toMatchObject({ superseded_by: "a" });
    expect(found.get("d")).not.toHaveProperty("superseded_by");
  });
});

describe("a file of issues", () => {
  const line = (id: string) => JSON.stringify(issue({ id }));

  it("with two values on a line, broken lines and a torn end gives everything else", () => {
    const { records, faults } = read(
      `${line("a")}${line("b")}\n\nno json\n${line("c")}\r\n[1]\n{"id":"x"}\n{"title":"y"}\n${line("d").slice(0, -9)}`,
    );
    expect(records.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(faults.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "UNREADABLE_LINE: Line 3 of issues.jsonl: it is no JSON.",
      "TORN_LINE: Line 8 of issues.jsonl: it ends in the middle of a value.",
      "UNREADABLE_RECORD: Line 5 of issues.jsonl: it is no issue but another kind of value.",
      "UNREADABLE_RECORD: Line 6 of issues.jsonl: the issue has no title.",
      "UNREADABLE_RECORD: Line 7 of issues.jsonl: the issue has neither id nor number.",
    ]);
  });

  it("may be an array, arrays one after another, a torn one, or an answer around a list", () => {
    const ids = (text: string) => read(text, "x.json").records.map(({ id }) => id);
    expect(ids(JSON.stringify([issue({ id: "a" }), issue({ id: "b" })], null, 2))).toEqual(["a", "b"]);
    expect(ids(`[${line("a")},${line("b")}][${line("c")}]`)).toEqual(["a", "b", "c"]);
    expect(ids(`[\n${line("a")},\n${line("b")},\n${line("c").slice(0, -5)}`)).toEqual(["a", "b"]);
    expect(ids(JSON.stringify({ issues: [issue({ id: "a" })] }))).toEqual(["a"]);
    expect(ids(`\ufeff${line("a")}`)).toEqual(["a"]);
  });

  it("takes the last of several lines of one issue", () => {
    const { records, faults } = read(
      `${line("a")}\n${line("a")}\n${JSON.stringify(issue({ id: "a", title: "Other" }))}`,
    );
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ decision: "Other" });
    expect(faults.map(({ code }) => code)).toEqual(["DUPLICATE_ID"]);
  });

  it("of hostile values gives plain records, and takes no long time", () => {
    const deep = `{"id":"deep","title":"t","status":"open","priority":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const proto = '{"id":"p","title":"a\\u0000b\\ud800","status":"open","__proto__":{"polluted":1},"notes":"n"}';
    const { records, faults } = read(
      `${deep}\n${proto}\n${JSON.stringify(issue({ id: "big", description: "x".repeat(50_000_000) }))}`,
    );
    expect(records.map(({ id }) => id)).toEqual(["p", "big"]);
    expect(records[0]).toMatchObject({ decision: "a\ufffdb\ufffd" });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(faults.map(({ id, code }) => `${id} ${code}`)).toEqual(["deep UNREADABLE_RECORD"]);
  });
});
