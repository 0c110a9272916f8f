import { describe, expect, it } from "vitest";
import { readDecision, recordHash } from "../../../src/decisions/read-decision.ts";
import { verifies } from "../../requirements/verifies.ts";

const read = (raw: unknown, date?: string) =>
  readDecision(raw, { name: "2026-03-01-decision-x.yaml", ...(date === undefined ? {} : { date }) });
const at = (iso: string) => Date.parse(iso);

describe("text and date of a record", () => {
  it("takes the first of the agreed fields that is there", () => {
    verifies("rulings/record-date-and-text");
    const all = {
      id: "a",
      decision: "one",
      summary: "two",
      date: "2026-01-01",
      timestamp: "2026-01-02",
      created_at: "2026-01-03",
    };
    const { date: _date, decision: _decision, ...second } = all;
    const { timestamp: _timestamp, ...third } = second;
    const { created_at: _created, ...bare } = third;
    expect(read(all, "2026-01-04").decision).toMatchObject({ text: "one", decidedAt: at("2026-01-01T00:00Z") });
    expect(read(second, "2026-01-04").decision).toMatchObject({ text: "two", decidedAt: at("2026-01-02T00:00Z") });
    expect(read(third, "2026-01-04").decision?.decidedAt).toBe(at("2026-01-03T00:00Z"));
    expect(read(bare, "2026-01-04").decision?.decidedAt).toBe(at("2026-01-04T00:00Z"));
    expect(read(bare).decision).toMatchObject({ date: "" });
    expect(read(bare).decision?.decidedAt).toBeUndefined();
    expect(read(bare).faults).toEqual([]);
  });

  it("passes over fields that are empty or null", () => {
    const { decision } = read({
      id: "a",
      decision: "  ",
      summary: " said ",
      date: null,
      timestamp: "",
      created_at: "2026-01-03",
    });
    expect(decision).toMatchObject({ text: "said", decidedAt: at("2026-01-03T00:00Z") });
  });

  it("reads times without a zone as UTC, with an offset, as a date of YAML, with microseconds", () => {
    const decided = (date: unknown) => read({ id: "a", decision: "x", date }).decision?.decidedAt;
    expect(decided("2026-02-04T05:05:55.608737")).toBe(at("2026-02-04T05:05:55.608Z") + 0.737);
    expect(decided("2026-02-09T01:00:00+14:00")).toBe(at("2026-02-08T11:00:00Z"));
    expect(decided(new Date("2026-02-08T00:00:00Z"))).toBe(at("2026-02-08T00:00:00Z"));
    expect(decided("2026-02-08 10:00:00")).toBe(at("2026-02-08T10:00:00Z"));
  });

  it("tells a date that cannot be read, and serves the record", () => {
    for (const date of ["soon", "2026/01/01", "2026-02-30", new Date("nonsense")]) {
      const { decision, faults } = read({ id: "a", decision: "x", date }, "2026-01-01");
      expect(decision?.decidedAt).toBeUndefined();
      expect(faults).toMatchObject([{ id: "a", code: "UNREADABLE_DATE" }]);
    }
  });
});

describe("what is no decision", () => {
  it("is told by its id, or by its place where it has none", () => {
    expect(read({ id: "a" })).toMatchObject({ faults: [{ id: "a", code: "UNREADABLE_RECORD" }] });
    for (const raw of [
      null,
      undefined,
      "text",
      7,
      [],
      {},
      { decision: "x" },
      { id: "", decision: "x" },
      { id: {}, decision: "x" },
    ]) {
      const { decision, faults } = read(raw);
      expect(decision).toBeUndefined();
      expect(faults).toMatchObject([{ id: "2026-03-01-decision-x.yaml", code: "UNREADABLE_RECORD" }]);
    }
  });

  it("never quotes the record", () => {
    const { faults } = read({ id: "a", decision: "secret words", date: "secret date", preserve: "secret mark" });
    expect(JSON.stringify(faults)).not.toContain("secret");
  });
});

describe("fields", () => {
  it("keep a confidence and a strength of nought", () => {
    const { decision } = read({
      id: 7,
      decision: "x",
      confidence: 0,
      reasons: [{ type: "analysis", text: "because", strength: 0 }],
    });
    expect(decision).toMatchObject({ id: "7", confidence: 0, reasons: [{ strength: 0 }] });
  });

  it("leave out what is no share", () => {
    for (const confidence of [1.01, -0.1, "high", Number.NaN, null, true]) {
      expect(read({ id: "a", decision: "x", confidence }).decision?.confidence).toBeUndefined();
    }
    expect(read({ id: "a", decision: "x", confidence: "0.8" }).decision?.confidence).toBe(0.8);
  });

  it("count a preserve that is no boolean as preserved, and tell it", () => {
    for (const preserve of ["false", "no", 0, []]) {
      const { decision, faults } = read({ id: "a", decision: "x", preserve });
      expect(decision?.isPreserved).toBe(true);
      expect(faults).toMatchObject([{ code: "UNREADABLE_PRESERVE" }]);
    }
    expect(read({ id: "a", decision: "x", preserve: null }).decision?.isPreserved).toBe(false);
    expect(read({ id: "a", decision: "x", preserve: true }).decision?.isPreserved).toBe(true);
  });

  it("know outcomes in any case and no others", () => {
    expect(read({ id: "a", decision: "x", outcome: "Success" }).decision?.outcome).toBe("success");
    expect(read({ id: "a", decision: "x", outcome: "great" }).decision?.outcome).toBeUndefined();
  });

  it("need structure or function for a bridge", () => {
    expect(read({ id: "a", decision: "x", bridge: { tolerance: ["a"] } }).decision?.bridge).toBeUndefined();
    expect(read({ id: "a", decision: "x", bridge: { structure: "cache" } }).decision?.bridge).toMatchObject({
      structure: "cache",
      function: "",
    });
  });

  it("survive values of the wrong kind everywhere", () => {
    const keys = [
      "category",
      "recorded_by",
      "status",
      "stakes",
      "context",
      "reasons",
      "tags",
      "pattern",
      "bridge",
      "outcome",
      "lessons",
    ];
    for (const value of [7, true, "text", [], [null, 7, [], {}], {}, { text: {} }]) {
      const raw = { id: "a", decision: "x", ...Object.fromEntries(keys.map((key) => [key, value])) };
      expect(read(raw).decision?.text).toBe("x");
    }
  });
});

describe("supersession", () => {
  const supersession = (fields: object) => {
    const { decision } = read({ id: "a", decision: "x", ...fields });
    return { supersedes: decision?.supersedes, supersededBy: decision?.supersededBy };
  };

  it("is read from fields, typed relations and the status", () => {
    expect(supersession({ supersedes: "b" }).supersedes).toEqual(["b"]);
    expect(supersession({ supersedes: ["b", { id: "c" }, "b", "a"] }).supersedes).toEqual(["b", "c"]);
    expect(supersession({ related_to: [{ id: "b", type: "supersedes" }] }).supersedes).toEqual(["b"]);
    expect(supersession({ superseded_by: "b" }).supersededBy).toBe("b");
    expect(supersession({ related_to: [{ id: "b", relation: "superseded-by" }] }).supersededBy).toBe("b");
    expect(supersession({ status: "superseded" }).supersededBy).toBe("");
    expect(supersession({ status: "Superseded by ADR-0012." }).supersededBy).toBe("ADR-0012");
    expect(supersession({ status: "superseded by [0012](../adr/0012-use-grpc.md)" }).supersededBy).toBe(
      "0012-use-grpc",
    );
  });

  it("is not a likeness", () => {
    expect(supersession({ related_to: [{ id: "b", summary: "supersedes all", distance: 0.1 }] })).toEqual({
      supersedes: [],
      supersededBy: undefined,
    });
    expect(supersession({ status: "reviewed" }).supersededBy).toBeUndefined();
  });
});

describe("the hash of a record", () => {
  it("hangs on every key but preserve, and on no order", () => {
    const one = { id: "a", decision: "x", bridge: { structure: "s", function: "f" } };
    expect(recordHash({ bridge: { function: "f", structure: "s" }, decision: "x", id: "a", preserve: true })).toBe(
      recordHash(one),
    );
    expect(recordHash({ ...one, outcome: "success" })).not.toBe(recordHash(one));
    expect(recordHash({ ...one, bridge: { structure: "s", function: "g" } })).not.toBe(recordHash(one));
  });
});
