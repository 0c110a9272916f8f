// Setting keys in the text of a record: nothing but their values changes, whatever stands around them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import { flowText, spliceRecord } from "../../../src/decisions/folder/write-record.ts";

const splice = (text: string, changes: RawDecision) => spliceRecord("a.yaml", text, changes);

describe("setting a key that is there", () => {
  it.each([
    ["a word, before a comment", "id: a\npreserve: false  # why\nx: 1\n", "id: a\npreserve: true  # why\nx: 1\n"],
    ["a word in quotes", "'preserve': \"no\"\nid: a\n", "'preserve': true\nid: a\n"],
    ["nothing", "id: a\npreserve:\nx: 1\n", "id: a\npreserve: true\nx: 1\n"],
    ["nothing, before a comment", "preserve:   # c\nid: a\n", "preserve: true   # c\nid: a\n"],
    ["nothing at the end of the file", "id: a\npreserve:", "id: a\npreserve: true"],
    ["null", "id: a\npreserve: ~\n", "id: a\npreserve: true\n"],
    ["lines of Windows", "id: a\r\npreserve: false\r\nx: 1\r\n", "id: a\r\npreserve: true\r\nx: 1\r\n"],
    ["a byte order mark", "\ufeffpreserve: false\nid: a\n", "\ufeffpreserve: true\nid: a\n"],
    [
      "markers",
      "%YAML 1.2\n--- # first\nid: a\npreserve: no\n...\n# tail\n",
      "%YAML 1.2\n--- # first\nid: a\npreserve: true\n...\n# tail\n",
    ],
    ["a tag", "id: a\npreserve: !!str yes # c\n", "id: a\npreserve: true # c\n"],
    ["a flow map", "{id: a, preserve: no, x: [1, 2]} # c\n", "{id: a, preserve: true, x: [1, 2]} # c\n"],
    [
      "a flow map of several lines",
      "{\n  id: a, # i\n  preserve: no, # p\n}\n",
      "{\n  id: a, # i\n  preserve: true, # p\n}\n",
    ],
    ["a key alone in a flow map", "{id: a, preserve, x: 1}\n", "{id: a, preserve: true, x: 1}\n"],
    ["JSON", '{"id": "a", "preserve": null}', '{"id": "a", "preserve": true}'],
    ["a folded text", "id: a\npreserve: >-\n  some\n  words\n# c\nx: 1\n", "id: a\npreserve: true\n# c\nx: 1\n"],
    ["a plain text of two lines", "preserve: some\n  words\nid: a\n", "preserve: true\nid: a\n"],
    ["a text on the next line", "preserve:\n  words # c\nid: a\n", "preserve:\n  true # c\nid: a\n"],
    [
      "a nested list",
      "id: a\npreserve: # why\n  - a\n  - b\n\n# after\nx: 1\n",
      "id: a\npreserve: true # why\n\n# after\nx: 1\n",
    ],
    ["a list as deep as its key", "preserve:\n- a\n- b\nid: a\n", "preserve: true\nid: a\n"],
    ["a nested map, last and unended", "id: a\npreserve:\n  a: 1\n  b: 2", "id: a\npreserve: true"],
    ["a nested map, lines of Windows", "preserve:\r\n  a: 1\r\nid: a\r\n", "preserve: true\r\nid: a\r\n"],
    ["a question", "? preserve\n: no\n? id\n: a\n", "? preserve\n: true\n? id\n: a\n"],
    ["itself twice", "id: a\npreserve: 1\npreserve: 2\n", "id: a\npreserve: 1\npreserve: true\n"],
    ["words that mean no", "id: a\npreserve: Off # c\n", "id: a\npreserve: true # c\n"],
    ["in an indented map", "  id: a\n  preserve: no\n", "  id: a\n  preserve: true\n"],
  ])("that holds %s", (_, before, after) => {
    expect(splice(before, { preserve: true })).toBe(after);
  });
});

describe("setting a key that is missing", () => {
  it.each([
    ["block lines", "id: a # c\n", "id: a # c\npreserve: true\n"],
    ["a file without a last line break", "id: a", "id: a\npreserve: true"],
    ["lines of Windows", "id: a\r\nx: 1\r\n", "id: a\r\nx: 1\r\npreserve: true\r\n"],
    ["lines of Windows without a last one", "id: a\r\nx: 1", "id: a\r\nx: 1\r\npreserve: true"],
    ["markers", "---\nid: a\nx:\n  - 1\n...\n", "---\nid: a\nx:\n  - 1\npreserve: true\n...\n"],
    ["a comment at the end", "id: a\n# tail\n", "id: a\npreserve: true\n# tail\n"],
    ["a text that keeps its blank lines", "id: a\nx: |+\n  t\n\n\n", "id: a\nx: |+\n  t\n\n\npreserve: true\n"],
    ["a text whose end is not ended", "id: a\nx: |+\n  t", "id: a\nx: |+\n  t\npreserve: true"],
    ["an indented map", "  id: a\n  x: 1\n", "  id: a\n  x: 1\n  preserve: true\n"],
    ["a flow map", "{id: a, x: }\n", "{id: a, x: , preserve: true}\n"],
    ["a flow map with a last comma", "{id: a,} # c", "{id: a, preserve: true,} # c"],
    ["JSON", '{\n  "id": "a"\n}\n', '{\n  "id": "a",\n  "preserve": true\n}\n'],
    ["JSON on one line", '{"id":"a"}', '{"id":"a","preserve": true}'],
    ["JSON with blanks", '{ "id": "a", "x": [ ] }', '{ "id": "a", "x": [ ], "preserve": true }'],
    ["a byte order mark", "\ufeffid: a", "\ufeffid: a\npreserve: true"],
  ])("in %s", (_, before, after) => {
    expect(splice(before, { preserve: true })).toBe(after);
  });

  it("adds several in their order", () => {
    expect(splice("id: a\n", { outcome: "success", lessons: "Ask: first", affected: ["x y", 1] })).toBe(
      "id: a\noutcome: success\nlessons: 'Ask: first'\naffected: [x y, 1]\n",
    );
  });
});

describe("a record that is JSON", () => {
  it("stays JSON, whatever is set in it", () => {
    const before = '{\n  "id": "a",\n  "decision": "A",\n  "status": "pending"\n}\n';
    const lessons = 'Ask: "first", it\'s\nno\u2028\u0085 \ufeff';
    const after = splice(before, { status: "reviewed", lessons, list: [{ "a b": "x" }], preserve: true });
    expect(JSON.parse(after)).toEqual({
      ...JSON.parse(before),
      status: "reviewed",
      lessons,
      list: [{ "a b": "x" }],
      preserve: true,
    });
    expect(after.split("\n").slice(0, 4)).toEqual([
      "{",
      '  "id": "a",',
      '  "decision": "A",',
      '  "status": "reviewed",',
    ]);
  });
});

describe("a text that cannot be edited without touching more", () => {
  it.each([
    ["an anchor that is used elsewhere", "id: a\npreserve: &p [1]\nx: *p\n"],
    ["a list", "- id: a\n"],
    ["nothing", ""],
    ["half a file", "id: a\nx: [1,\n"],
    ["two documents", "id: a\n---\nid: b\n"],
    ["a key without a colon", "? id\n: a\n? preserve\n"],
  ])("is refused: %s", (_, text) => {
    expect(() => splice(text, { preserve: true })).toThrow(
      expect.objectContaining({ kind: "InvalidInput", code: "UNEDITABLE_RECORD" }),
    );
  });
});

const TEXTS = [
  "yes",
  "true",
  "12",
  "1e3",
  "2031-01-02",
  "# no",
  "a: b",
  "- x",
  "it's",
  'a "b"',
  " led",
  "end ",
  "",
  "x\ny",
  "\t",
  "~",
  "{a",
  "a, b]",
  "ü 😀",
  "\u2028",
  "\ufeff",
  "\u0085",
  "null",
  "&a",
  "*a",
  "!t",
  "%d",
  "@x",
  "`x",
  "|",
  ">",
  "?",
  ": ",
  "x #y",
];
const anyText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "grapheme", maxLength: 12 }));
const anyValue = fc.oneof(
  fc.boolean(),
  fc.constant(null),
  anyText,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.array(anyText, { maxLength: 3 }),
  fc.dictionary(anyText, fc.oneof(anyText, fc.integer()), { maxKeys: 3, noNullPrototype: true }),
);

describe("a value on one line", () => {
  it("reads back as it was, inside lines and inside flow", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(parse(`k: ${flowText(value)} # c\n`, { schema: "core" })).toEqual({ k: value });
        expect(parse(`{k: ${flowText(value)}, x: 1}`, { schema: "core" })).toEqual({ k: value, x: 1 });
      }),
      { numRuns: 500 },
    );
  });
});

/** A value as people write it: what follows the key, and what of it must stay when the value changes. */
interface Written {
  readonly text: string;
  readonly value: unknown;
}

const scalar: fc.Arbitrary<Written> = fc.constantFrom(
  { text: " plain words", value: "plain words" },
  { text: " 'it''s'", value: "it's" },
  { text: ' "a\\tb"', value: "a\tb" },
  { text: " 0.50", value: 0.5 },
  { text: "", value: null },
  { text: " ~", value: null },
  { text: " [a, {b: c}]", value: ["a", { b: "c" }] },
);
const block: fc.Arbitrary<Written> = fc.constantFrom(
  { text: " |\n  one\n\n  two # no comment\n", value: "one\n\ntwo # no comment\n" },
  { text: " >-\n  one\n  two\n", value: "one two" },
  { text: "\n  - a # inner\n  # between\n  - b: 1\n    c: 2\n", value: ["a", { b: 1, c: 2 }] },
  { text: "\n- x\n- y\n", value: ["x", "y"] },
  { text: "\n  deep:\n    deeper: [1]\n", value: { deep: { deeper: [1] } } },
  { text: ' "a\n  b"\n', value: "a b" },
);

interface Entry {
  readonly key: string;
  readonly above: string;
  readonly written: Written;
  /** Behind a value on one line. */
  readonly comment: string;
}

const entry = fc.record({
  above: fc.constantFrom("", "", "# a comment\n", "\n", "  # indented: comment\n\n"),
  written: fc.oneof(scalar, block),
  comment: fc.constantFrom("", "", " # note", "   # a: b"),
});
const KEYS = ["id", "b", "preserve", "d e", "'f'", "status", "g"];
const isBlockText = (each: Pick<Entry, "written"> | undefined) => /^ [|>]/.test(each?.written.text ?? "");
const record = fc.array(entry, { minLength: 1, maxLength: KEYS.length }).map((entries) =>
  entries.map((each, index): Entry => {
    // Behind a block text, indented lines are its own.
    const above = isBlockText(entries[index - 1]) ? "" : each.above;
    return { ...each, above, key: KEYS[index] ?? "" };
  }),
);

const lineOf = ({ above, key, written, comment }: Entry, value = written.text) =>
  `${above}${key}:${value}${value.endsWith("\n") ? "" : `${comment}\n`}`;
const nameOf = ({ key }: Entry) => key.replaceAll("'", "");

interface Dress {
  readonly isWindows: boolean;
  /** The file has no line break at its end. */
  readonly isUnended: boolean;
}
const dressed = (text: string, { isWindows }: Dress) => (isWindows ? text.replaceAll("\n", "\r\n") : text);
const ended = (text: string, { isUnended }: Dress) => (isUnended ? text.replace(/\r?\n$/, "") : text);

function checkBytes(entries: readonly Entry[], at: number, value: unknown, added: unknown, given: Dress): void {
  // Whether a block text ends with a line break is part of it.
  const dress = { ...given, isUnended: given.isUnended && !isBlockText(entries.at(-1)) };
  const changed = entries[at % entries.length] as Entry;
  const place = entries.indexOf(changed);
  const textOf = (list: readonly Entry[]) => dressed(list.map((each) => lineOf(each)).join(""), dress);
  const [before, after] = [textOf(entries.slice(0, place)), textOf(entries.slice(place + 1))];
  const text = ended(before + textOf([changed]) + after, dress);
  // A file of one line does not tell how its lines end.
  const lineBreak = text.includes("\n") ? dressed("\n", dress) : "\n";
  const addition = `added: ${flowText(added)}`;
  const end = ended(after, dress) + (dress.isUnended ? lineBreak + addition : addition + lineBreak);

  const result = splice(text, { [nameOf(changed)]: value, added });

  expect(result.startsWith(before + dressed(changed.above, dress) + changed.key)).toBe(true);
  expect(result.endsWith(end)).toBe(true);
  if (!changed.written.text.endsWith("\n")) {
    const line = dressed(lineOf(changed, ` ${flowText(value)}`), dress);
    expect(result.slice(before.length, result.length - end.length)).toBe(after === "" ? ended(line, dress) : line);
  }
  const values = Object.fromEntries(entries.map((each) => [nameOf(each), each.written.value]));
  expect(parse(result, { schema: "core" })).toEqual({ ...values, [nameOf(changed)]: value, added });
}

describe("any record", () => {
  it("keeps every byte but those of the values that change", () => {
    const dress = fc.record({ isWindows: fc.boolean(), isUnended: fc.boolean() });
    fc.assert(fc.property(record, fc.nat(6), anyValue, anyValue, dress, checkBytes), { numRuns: 1000 });
  });
});
