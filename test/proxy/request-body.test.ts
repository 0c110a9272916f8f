// A request's body is read by places, and what it shares with an earlier one is not read again.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldOf, type RequestBody, readRequestBody } from "../../src/proxy/request-body.ts";

const read = (text: string, earlier?: RequestBody) => readRequestBody(Buffer.from(text), "messages", "test", earlier);
const message = fc.dictionary(fc.constantFrom("role", "content", "a", '"', "\\", "{"), fc.jsonValue({ maxDepth: 3 }));
const space = fc.constantFrom("", " ", "\n\t ", "\r\n");
const bodies = fc.record({
  before: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
  messages: fc.array(message, { maxLength: 8 }),
  after: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
  space,
});

type Given = { before: object; messages: object[]; after: object; space: string };

function textOf({ before, messages, after, space: gap }: Given): string {
  const fields = [
    ...Object.entries({ ...before, messages: undefined }),
    ["messages", messages],
    ...Object.entries(after),
  ];
  const shown = fields.flatMap(([key, value]) =>
    value === undefined || (key === "messages" && value !== messages)
      ? []
      : [`${JSON.stringify(key)}${gap}:${gap}${JSON.stringify(value, undefined, gap.length)}`],
  );
  return `${gap}{${gap}${shown.join(`${gap},${gap}`)}${gap}}${gap}`;
}

function summaryOf(body: RequestBody | undefined) {
  if (body === undefined) return undefined;
  const { bytes, places, messages, chain, list } = body;
  return { list, places, messages, chain, bytes: bytes.toString() };
}

describe("the body of a request", () => {
  it("is read as JSON.parse reads it, each message at its place", () => {
    fc.assert(
      fc.property(bodies, (given) => {
        const text = textOf(given);
        const body = read(text);
        expect(body?.messages).toEqual(JSON.parse(text).messages);
        const texts = body?.places.map(({ start, end }) => Buffer.from(text).toString("utf8", start, end));
        expect(texts?.map((each) => JSON.parse(each))).toEqual(body?.messages);
        for (const name of Object.keys(given.after)) {
          if (body !== undefined && name !== "messages") expect(fieldOf(body, name)).toEqual(JSON.parse(text)[name]);
        }
      }),
    );
  });

  it("is read alike behind any earlier one", () => {
    fc.assert(
      fc.property(bodies, fc.array(message, { maxLength: 3 }), fc.nat(), (given, added, cut) => {
        const kept = given.messages.slice(0, cut % (given.messages.length + 1));
        const later = { ...given, messages: [...kept, ...added] };
        const earlier = read(textOf(given));
        const [with_, without] = [read(textOf(later), earlier), read(textOf(later))];
        expect(summaryOf(with_)).toEqual(summaryOf(without));
        for (const [at, one] of kept.entries()) if (with_?.messages[at] !== earlier?.messages[at]) expect(one).toBe(at);
      }),
    );
  });

  it("names lists that say the same alike, wherever a mark for the cache stands", () => {
    const marked = '[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]';
    const bare = '[{"role":"user","content":[{"type":"text","text":"\\u0061"}]}]';
    expect(read(`{"messages":${marked}}`)?.chain).toEqual(read(`{"messages":${bare}}`)?.chain);
  });

  it.each([
    "",
    "[]",
    "{",
    '{"messages":[{}]',
    '{"messages":[{}}',
    '{"messages":[{"a":1}{"b":2}]}',
    '{"messages":[{"a":tru}]}',
    '{"messages":[1]}',
    '{"messages":"text"}',
    '{"messages":[{}]} x',
    '{"input":[{}]}',
    `{"messages":[${'{"a":'.repeat(500)}1${"}".repeat(500)}]}`,
  ])("is nobody's to read when it is %s", (text) => {
    expect(read(text)).toBeUndefined();
  });
});
