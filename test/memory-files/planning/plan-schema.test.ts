import { describe, expect, it } from "vitest";
import { readPlan, sealPlan } from "../../../src/memory-files/plan.ts";

import { newWorkspace } from "../workspace/workspace-folder.ts";
import { planOf } from "./planned.ts";

const HASH = "a".repeat(64);
const range = { byte_from: 0, byte_to: 5, line_from: 1, line_to: 1, preview: "# One" };
const base = { id: 1, apply: true, reason: "", bytes_before: 9, bytes_after: 4, tokens_before: 2, tokens_after: 1 };
const edit = {
  ...base,
  kind: "remove_sections",
  file: "memory/2031-02-03.md",
  ranges: [range],
  rests_on: { "memory/2031-02-03.md": HASH },
};
const rotation = {
  ...base,
  kind: "rotate",
  file: "a.md",
  archive: "memory/archive/a.full.md",
  rests_on: { "a.md": HASH },
};
const digest = {
  ...base,
  kind: "digest",
  month: "2031-01",
  file: "memory/2031-01.md",
  text: "# January",
  source: "extractive",
  notes: ["memory/2031-01-01.md", "memory/2031-01-02.md"],
  rests_on: { "memory/2031-01-01.md": HASH, "memory/2031-01-02.md": HASH },
};

function plan(...changes: readonly object[]) {
  const made = {
    created_at: "2031-02-20T12:00:00.000Z",
    workspace: "/somewhere",
    options: { aggressive: false, max_memory_kb: 15 },
    changes,
    held: [],
    memory_size_before: 1,
    memory_size_after: 1,
    over_limit_bytes: 0,
    totals: { changes: 1, files: 1, bytes_before: 9, bytes_after: 4, tokens_before: 2, tokens_after: 1 },
  };
  return sealPlan(made as never);
}

interface Editable {
  readonly changes: { apply: boolean; ranges?: object[] }[];
  readonly totals: object;
}

function faultOf(value: unknown): string {
  try {
    readPlan(value);
  } catch (error) {
    const { kind, code, message } = error as { kind: string; code: string; message: string };
    return `${kind} ${code} ${message}`;
  }
  return "none";
}

describe("a plan from a file", () => {
  it("is read as it was written", async () => {
    const root = newWorkspace({ "MEMORY.md": "- a line of it\n- a line of it\n", "memory/2031-01-01.md": "x" });
    const written = (await planOf(root, { aggressive: true })).plan;
    expect(readPlan(JSON.parse(JSON.stringify(written)))).toEqual(written);
    const whole = plan(edit, { ...rotation, id: 2 }, { ...digest, id: 3 });
    expect(readPlan(structuredClone(whole))).toEqual(whole);
  });

  describe("that was edited", () => {
    const made = () => structuredClone(plan(edit, { ...rotation, id: 2 }, { ...digest, id: 3 })) as never as Editable;
    const EDITED = "InvalidInput INVALID_PLAN The plan was edited: only `apply` of a change may be.";

    it("is read where only what is to be applied was, and the figures of that", () => {
      const other = made();
      for (const change of other.changes) change.apply = false;
      Object.assign(other, { memory_size_after: 7, over_limit_bytes: 3, totals: { ...other.totals, changes: 0 } });
      expect(readPlan(other)).toEqual(other);
    });

    it("is read with its fields in another order, and without what a plan does not know", () => {
      const entries = Object.entries(made()).reverse();
      expect(readPlan({ ...Object.fromEntries(entries), remark: "looked at it" })).toEqual(made());
    });

    it.each<readonly [string, (other: Editable) => void]>([
      ["ranges", (other) => Object.assign(other.changes[0]?.ranges?.[0] ?? {}, { byte_to: 900, line_to: 40 })],
      ["files", (other) => Object.assign(other.changes[1] ?? {}, { file: "b.md", rests_on: { "b.md": HASH } })],
      ["archives", (other) => Object.assign(other.changes[1] ?? {}, { archive: "memory/archive/b.full.md" })],
      ["texts", (other) => Object.assign(other.changes[2] ?? {}, { text: "# Another" })],
      ["reasons", (other) => Object.assign(other.changes[2] ?? {}, { reason: "because" })],
      ["hashes", (other) => Object.assign(other.changes[0] ?? {}, { rests_on: { [edit.file]: "b".repeat(64) } })],
      ["changes, one less", (other) => void other.changes.pop()],
      ["changes, one more", (other) => void other.changes.push({ ...edit, id: 9 } as never)],
      ["order", (other) => void other.changes.reverse()],
      ["workspace", (other) => Object.assign(other, { workspace: "/elsewhere" })],
      ["checksum", (other) => Object.assign(other, { checksum: "0".repeat(64) })],
    ])("is refused with another %s", (_, edited) => {
      const other = made();
      edited(other);
      expect(faultOf(other)).toBe(EDITED);
    });

    it("is refused without its checksum", () => {
      expect(faultOf({ ...plan(), checksum: undefined })).toContain("checksum is missing");
      expect(faultOf({ ...plan(), checksum: "abc" })).toContain("checksum is not what a plan has there");
    });
  });

  it("may hold ranges that touch", () => {
    const next = { ...range, byte_from: 5, byte_to: 9, line_from: 2, line_to: 3 };
    expect(faultOf(plan({ ...edit, ranges: [range, next] }))).toBe("none");
  });

  it.each([
    ["null", null, "it is not an object with the fields of a plan"],
    ["a text", "plan", "it is not an object with the fields of a plan"],
    ["no version", { ...plan(), version: undefined }, "version is missing"],
    ["no time", { ...plan(), created_at: "soon" }, "created_at is no time"],
    ["no changes", { ...plan(), changes: undefined }, "changes is missing"],
    ["an unknown kind", plan({ ...edit, kind: "delete" }), "changes.0.kind is not what a plan has there"],
    [
      "an apply that is no yes or no",
      plan({ ...edit, apply: "false" }),
      "changes.0.apply is not what a plan has there",
    ],
    ["one id twice", plan(edit, rotation), "changes have one id twice"],
    ["id 0", plan({ ...edit, id: 0 }), "changes.0.id is not what a plan has there"],
    ["no ranges", plan({ ...edit, ranges: [] }), "changes.0.ranges is not what a plan has there"],
    [
      "half a byte",
      plan({ ...edit, ranges: [{ ...range, byte_to: 4.5 }] }),
      "changes.0.ranges.0.byte_to is not what a plan has there",
    ],
    [
      "a range backwards",
      plan({ ...edit, ranges: [{ ...range, byte_from: 5 }] }),
      "changes.0.ranges.0.byte_to is not behind byte_from",
    ],
    [
      "lines backwards",
      plan({ ...edit, ranges: [{ ...range, line_from: 3 }] }),
      "changes.0.ranges.0.line_to is before line_from",
    ],
    [
      "ranges that overlap",
      plan({ ...edit, ranges: [range, { ...range, byte_from: 4, byte_to: 9 }] }),
      "changes.0.ranges are not in order, or overlap",
    ],
    [
      "half a character",
      plan({ ...edit, ranges: [{ ...range, insert: "\ud83d" }] }),
      "changes.0.ranges.0.insert is not what a plan has there",
    ],
    [
      "a short hash",
      plan({ ...edit, rests_on: { [edit.file]: "abc" } }),
      `changes.0.rests_on.${edit.file} is not what a plan has there`,
    ],
    ["no hash of the file", plan({ ...edit, rests_on: { "MEMORY.md": HASH } }), "changes.0.rests_on lacks the file"],
    [
      "no hash of a note",
      plan({ ...digest, rests_on: { [digest.notes[0] ?? ""]: HASH } }),
      "changes.0.rests_on lacks a note of the digest",
    ],
    ["one note twice", plan({ ...digest, notes: ["a.md", "a.md"] }), "changes.0.notes name one file twice"],
    ["month 13", plan({ ...digest, month: "2031-13" }), "changes.0.month is not what a plan has there"],
    ["no notes", plan({ ...digest, notes: [] }), "changes.0.notes is not what a plan has there"],
    [
      "sections that move nowhere",
      plan({ ...edit, kind: "move_sections" }),
      "changes.0.moved_to belongs to sections that are moved, and to no other change",
    ],
    [
      "an archive elsewhere",
      plan({ ...rotation, archive: "memory/a.md" }),
      "changes.0.archive is not below memory/archive",
    ],
    [
      "an edit of the archive",
      plan({ ...rotation, file: "memory/archive/a.md" }),
      "changes.0.file is below memory/archive, where nothing is edited",
    ],
  ])("is refused with %s", (_, value, fault) => {
    expect(faultOf(value)).toBe(`InvalidInput INVALID_PLAN The plan cannot be read: ${fault}.`);
  });

  it.each([
    "../MEMORY.md",
    "a/../../b.md",
    "/etc/passwd",
    "./a.md",
    "a//b.md",
    "",
    "a\\b.md",
    "C:/a.md",
    "a\0.md",
    "a/",
    "a\n.md",
  ])("is refused with a file called %j", (file) => {
    const fault = "is no file name from the workspace, parted by /";
    expect(faultOf(plan({ ...edit, file }))).toContain(`changes.0.file ${fault}`);
    expect(faultOf(plan({ ...edit, rests_on: { ...edit.rests_on, [file]: HASH } }))).toContain(fault);
    expect(faultOf(plan({ ...digest, notes: [...digest.notes, file] }))).toContain(`changes.0.notes.2 ${fault}`);
  });
});
