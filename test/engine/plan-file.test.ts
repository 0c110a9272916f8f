// What every plan has in common: it is sealed, and refused when it is not what was reviewed. test/<memory> has the rest.
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { planFile, planHeader } from "../../src/engine/plan-file.ts";
import { checkPolicy, fingerprintOf, staleInputs } from "../../src/engine/staleness.ts";

const item = z.object({ id: z.number(), apply: z.boolean() });
const schema = z.object({ ...planHeader("decisions"), items: z.array(item), note: z.optional(z.string()) });
const plain = planFile({ part: "decisions", schema });
const editable = planFile({
  part: "decisions",
  schema,
  editable: {
    what: "`apply` of an item",
    without: ({ items, ...rest }) => ({ ...rest, items: items.map(({ id }) => id) }),
  },
});
const made = plain.seal({ items: [{ id: 1, apply: true }] });

function refusal(read: () => unknown) {
  try {
    read();
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    return [code, message, hint];
  }
  return undefined;
}

describe("a plan", () => {
  it("is read as it was sealed, in whatever order its fields stand, without what it does not know", () => {
    expect(plain.read(JSON.parse(JSON.stringify(made)))).toEqual(made);
    expect(plain.read({ remark: "seen", ...Object.fromEntries(Object.entries(made).reverse()) })).toEqual(made);
  });

  it.each([
    ["nothing", undefined, "The plan cannot be read: it is not an object with the fields of a plan."],
    ["a list", [], "The plan cannot be read: it is not an object with the fields of a plan."],
    ["a field less", { ...made, items: undefined }, "The plan cannot be read: items is missing."],
    ["a field of another kind", { ...made, items: [{ id: "secret" }] }, "items.0.id is not what a plan has there"],
    ["one of an earlier version", { ...made, version: 1 }, "The plan is of version 1; version 2 is read."],
    ["one of another memory", { ...made, part: "memory_files" }, "It is a plan of memory files, not of decisions."],
    ["one of no memory", { ...made, part: "toString" }, "part is not what a plan has there"],
    ["an edit", { ...made, items: [{ id: 2, apply: true }] }, "The plan was edited: nothing in it may be changed."],
    ["an added field that it knows", { ...made, note: "x" }, "The plan was edited"],
  ])("is refused with %s, and says what to do", (_, value, message) => {
    expect(refusal(() => plain.read(value))).toEqual([
      "INVALID_PLAN",
      expect.stringContaining(message),
      expect.stringMatching(/[Mm]ake/),
    ]);
  });

  it("may be edited where its kind says so", () => {
    const sealed = editable.seal({ items: [{ id: 1, apply: true }] });
    const chosen = { ...sealed, items: [{ id: 1, apply: false }] };
    expect(editable.read(chosen)).toEqual(chosen);
    const [, message, hint] = refusal(() => editable.read({ ...sealed, items: [] })) ?? [];
    expect(message).toBe("The plan was edited: only `apply` of an item may be.");
    expect(hint).toBe("Make the plan again, and change nothing in it but `apply` of an item.");
  });
});

describe("staleness", () => {
  it("knows plain data by its fingerprint", () => {
    expect(fingerprintOf({ a: 1, b: [{ c: 2, d: undefined }] })).toBe(fingerprintOf({ b: [{ c: 2 }], a: 1 }));
    expect(fingerprintOf({ a: 1 })).not.toBe(fingerprintOf({ a: "1" }));
    expect(fingerprintOf([1, 2])).not.toBe(fingerprintOf([2, 1]));
  });

  it("names a few of the inputs that changed, and refuses another policy", () => {
    const ids = Array.from({ length: 22 }, (_, at) => at);
    const { message, code, kind, data } = staleInputs("No row was changed", "row", ids);
    expect([kind, code]).toEqual(["Conflict", "STALE_PLAN"]);
    expect(message).toMatch(/^No row was changed: rows 0, .*, 19 and 2 more have changed since the plan was made\.$/);
    expect(data).toEqual({ ids: ids.slice(0, 20), count: 22 });
    expect(() => checkPolicy("No row was changed", "a", "a")).not.toThrow();
    expect(() => checkPolicy("No row was changed", "a", "b")).toThrow(/another policy/);
  });
});
