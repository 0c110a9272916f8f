import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { readArguments } from "../../src/mcp/read-arguments.ts";
import { verifies } from "../requirements/verifies.ts";
import { generous, noisy, repeat } from "./programs/tools.ts";

const read = (given: unknown) => readArguments(repeat, given);
const readWith = (given: object) => read({ older_than_days: 30, ...given }).input;

function refusal(given: unknown): CompactError {
  try {
    read(given);
  } catch (error) {
    if (CompactError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("was not refused");
}

describe("arguments that arrive as text", () => {
  it.each([
    [{ older_than_days: "30" }, { older_than_days: 30 }],
    [{ older_than_days: " 1.5 " }, { older_than_days: 1.5 }],
    [{ limit: "7" }, { limit: 7 }],
    [{ dry_run: "false" }, { dry_run: false }],
    [{ dry_run: "true" }, { dry_run: true }],
    [{ dry_run: "False" }, { dry_run: false }],
    [{ dry_run: 0 }, { dry_run: false }],
    [{ dry_run: 1 }, { dry_run: true }],
    [{ ids: "[1,2]" }, { ids: [1, 2] }],
    [{ ids: [1, 2] }, { ids: [1, 2] }],
    [{ ids: " [] " }, { ids: [] }],
    [{ details: '{"note":"a"}' }, { details: { note: "a" } }],
    [{ project: "30" }, { project: "30" }],
    [{ project: "[1]" }, { project: "[1]" }],
    [{ project: 5 }, { project: "5" }],
    [{ project: ["a"] }, { project: "a" }],
    [{ mode: "Identify" }, { mode: "identify" }],
    [{ compact_ids: "[1,2]" }, { compact_ids: "[1,2]" }],
    [{ compact_ids: '["1"]' }, { compact_ids: '["1"]' }],
    [{ compact_ids: ["1", 2.5] }, { compact_ids: ["1", 2.5] }],
  ])("%j becomes %j", (given, expected) => {
    verifies("field/arguments-as-strings");
    expect(readWith(given)).toEqual({ older_than_days: 30, ...expected });
  });

  it.each([
    [{ older_than_days: "30 days" }, 'older_than_days: must be a number, not the text "30 days".'],
    [{ older_than_days: "1e3" }, 'older_than_days: must be a number, not the text "1e3".'],
    [{ older_than_days: "" }, "older_than_days: must be a number, not an empty text."],
    [{ older_than_days: "NaN" }, 'older_than_days: must be a number, not the text "NaN".'],
    [{ older_than_days: 0 }, "older_than_days: must be more than 0, not the number 0."],
    [{ older_than_days: "-5" }, 'older_than_days: must be more than 0, not the text "-5".'],
    [{ older_than_days: true }, "older_than_days: must be a number, not true."],
    [{ limit: 1.5 }, "limit: must be a whole number, not the number 1.5."],
    [{ limit: 500 }, "limit: must be at most 200, not the number 500."],
    [{ limit: "9007199254740993" }, 'limit: must be a whole number, not the text "9007199254740993".'],
    [{ dry_run: "maybe" }, 'dry_run: must be true or false, not the text "maybe".'],
    [{ dry_run: 2 }, "dry_run: must be true or false, not the number 2."],
    [{ ids: "1,2" }, 'ids: must be a list, not the text "1,2".'],
    [{ ids: '["1"]' }, 'ids[0]: must be a whole number, not the text "1".'],
    [{ ids: [1, "2"] }, 'ids[1]: must be a whole number, not the text "2".'],
    [{ ids: "[1" }, 'ids: must be a list, not the text "[1".'],
    [{ details: "[]" }, 'details: must be an object, not the text "[]".'],
    [{ details: { note: 5 } }, "details.note: must be a text, not the number 5."],
    [{ project: ["a", "b"] }, "project: must be a text, not a list of 2."],
    [{ mode: "delete" }, 'mode: must be one of "identify", "execute", not the text "delete".'],
    [{ compact_ids: 5 }, "compact_ids: must be a text or a list, not the number 5."],
  ])("%j is refused by name, with what arrived", (given, line) => {
    verifies("field/arguments-as-strings");
    expect(refusal({ older_than_days: 30, ...given }).message).toContain(`- ${line}`);
  });
});

describe("arguments without a value", () => {
  it("are absent where they are optional: null always, an empty text where no text is due", () => {
    expect(readWith({ dry_run: null, limit: null, project: null, ids: null, mode: null, compact_ids: null })).toEqual({
      older_than_days: 30,
    });
    expect(readWith({ dry_run: "", limit: "", ids: "", mode: "" })).toEqual({ older_than_days: 30 });
  });

  it("are absent as a blank cursor, whatever else of text is kept", () => {
    for (const cursor of ["", "  ", "\n", null]) expect(readWith({ cursor })).toEqual({ older_than_days: 30 });
    expect(readWith({ cursor: "x", project: "" })).toEqual({ older_than_days: 30, cursor: "x", project: "" });
  });

  it("are kept where they mean something: an empty text, a null that clears", () => {
    expect(readWith({ project: "", title: null, compact_ids: "" })).toEqual({
      older_than_days: 30,
      project: "",
      title: null,
      compact_ids: "",
    });
  });

  it("are named where they are required", () => {
    expect(refusal({}).message).toContain("- older_than_days: is required and missing.");
    expect(refusal(undefined).message).toContain("- older_than_days: is required and missing.");
    expect(refusal({ older_than_days: null }).message).toContain(
      "older_than_days: is required and missing (null arrived).",
    );
  });
});

describe("keys that no parameter has", () => {
  it("do not fail the call and are told, with what was probably meant", () => {
    verifies("field/arguments-as-strings");
    const { input, notes } = read({ older_than_days: 30, dry_runn: true, zzzzzzzz: 1 });
    expect(input).toEqual({ older_than_days: 30 });
    expect(notes).toEqual([
      '"dry_runn" is not a parameter of repeat and was ignored. Did you mean dry_run?',
      '"zzzzzzzz" is not a parameter of repeat and was ignored.',
    ]);
  });

  it.each(["older_then_days", "olderThanDays", "older-than-days", "OLDER_THAN_DAYS"])(
    "are named when the required one is missing: %s",
    (key) => {
      const { message } = refusal({ [key]: 30 });
      expect(message).toContain(
        `- older_than_days: is required and missing; ${JSON.stringify(key)} arrived, did you mean older_than_days?`,
      );
      expect(message).not.toContain("was ignored");
    },
  );

  it("fail a call that changes something when they ask only to try it", () => {
    for (const given of [{ dry_run: true }, { dryRun: "true" }, { preview: 1 }]) {
      const [key = ""] = Object.keys(given);
      expect(() => readArguments(generous, given)).toThrow(`generous has no ${key}: it was not carried out`);
    }
    for (const given of [{ dry_run: false }, { dry_run: "false" }, { dry_run: null }, { preview: 0 }]) {
      expect(readArguments(generous, given).notes).toHaveLength(1);
    }
    expect(readArguments(noisy, { dry_run: true }).notes).toHaveLength(1);
  });

  it("cannot touch what an object inherits", () => {
    const given = JSON.parse('{"older_than_days":30,"__proto__":{"dry_run":true},"constructor":1,"toString":2}');
    const { input, notes } = read(given);
    expect(input).toEqual({ older_than_days: 30 });
    expect((input as { dry_run?: unknown }).dry_run).toBeUndefined();
    expect(notes).toHaveLength(3);
  });

  it("are many and long without a long answer", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${"k".repeat(200)}${index}`, 1]));
    const { notes } = read({ older_than_days: 30, ...many });
    expect(notes).toHaveLength(6);
    expect(notes.at(-1)).toBe("4995 more unknown parameters were ignored.");
    expect(notes.join("\n").length).toBeLessThan(1000);
  });
});

describe("a refusal", () => {
  it("names everything wrong at once, says that nothing happened and gives a call to copy", () => {
    const error = refusal({ limit: "many", ids: "1,2", dry_run: "no" });
    expect(error).toMatchObject({ kind: "InvalidInput", code: "INVALID_ARGUMENTS" });
    expect(error.message.split("\n")).toEqual([
      "repeat was not carried out, nothing has changed:",
      "- older_than_days: is required and missing.",
      '- dry_run: must be true or false, not the text "no".',
      '- limit: must be a whole number, not the text "many".',
      '- ids: must be a list, not the text "1,2".',
    ]);
    expect(error.hint).toBe('Example: repeat {"older_than_days": 30, "dry_run": true, "limit": 1, "ids": [1]}');
    const example = JSON.parse(error.hint?.replace("Example: repeat ", "") ?? "");
    expect(readArguments(repeat, example).input).toEqual(example);
  });

  it("stays short whatever arrived", () => {
    const long = "é👩‍👩‍👧".repeat(200_000);
    const ids = Array.from({ length: 100_000 }, () => "x");
    const error = refusal({ older_than_days: long, mode: long, ids, details: { note: ids } });
    expect(error.message.length + (error.hint?.length ?? 0)).toBeLessThan(2000);
    expect(error.message.isWellFormed()).toBe(true);
    expect(error.message).toContain("more.");
  });
});
