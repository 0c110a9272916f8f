// A text as its reader sees it, and the way back: what is found in the view is found in the text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../bench/redaction/random.ts";
import { DEVELOPER, VENDORS } from "../../bench/redaction/secret-kinds.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { viewOf } from "../../src/redaction/view.ts";

const redactor = createRedactor({ patterns: ["BOOK-\\d{4}"], literals: ["gate word"] });

describe("a view", () => {
  it.each([
    ["a\u001b[31mb\u001b[0mc", "abc"],
    ["\\x1b[1;31mab\\u001b[K\\033[mc", "abc"],
    ["%22a%3D%2522", '"a="'],
    ["\\u0022\\\\u003d\\x41", '"=A'],
    ["&quot;&#34;&#x3d;&amp;lt;", '""=<'],
    ["ｐａｓｓ：１", "pass:1"],
    ["pa\u200bss\u2066\ufeff", "pass"],
  ])("of %j is %j", (text, seen) => {
    expect(viewOf(text)?.text).toBe(seen);
  });

  it("is none of a text without any of that", () => {
    expect(viewOf("plain 100% & \\n \\u00e9 &copy; [31m %zz")).toBeUndefined();
  });

  it("tells of each range where it stands, the whole of what was undone, and nothing unseen at its ends", () => {
    const piece = fc.constantFrom("a", "bc", "\u001b[31m", "%22", "\\u0022", "\u200b", "：", "&quot;", " ", "é");
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), fc.nat(), fc.nat(), (pieces, from, size) => {
        const text = pieces.join("");
        const view = viewOf(text);
        if (view === undefined || view.text === "") return;
        const start = from % view.text.length;
        const end = start + 1 + (size % (view.text.length - start));
        const range = view.inText({ start, end });
        const there = text.slice(range.start, range.end);
        expect(viewOf(there)?.text ?? there).toBe(view.text.slice(start, end));
        expect(["\u001b", "\u200b"]).not.toContain(there[0]);
        expect(there.at(-1)).not.toBe("\u200b");
      }),
    );
  });
});

describe("what is seen through", () => {
  it.each([
    ["\u001b[01;31mBOOK\u001b[m-1234 ok", "\u001b[01;31m<REDACTED> ok"],
    ["say gate\u200b word now", "say <REDACTED> now"],
    ["?q=gate%20word&n=1", "?q=<REDACTED>&n=1"],
    ["DB_\u001b[31mPASSWORD\u001b[0m=hunter2 x", "DB_\u001b[31mPASSWORD\u001b[0m=<REDACTED> x"],
    // What ends the value in the view does not shorten what goes of the text.
    ["password=abc1%22def2 next", "password=<REDACTED> next"],
  ])("%j", (text, left) => {
    expect(redactor.text(text)).toBe(left);
    expect(redactor.text(left)).toBe(left);
  });
});

describe("a key in the middle of a word", () => {
  const random = seededRandom(3);
  // `key-` ends many words.
  const kinds = [...DEVELOPER, ...VENDORS].filter(({ byName, kind }) => byName !== true && kind !== "Mailgun key");

  it.each(kinds.map(({ kind, make }) => [kind, make] as const))("%s", (_, make) => {
    for (const before of ["x", "7", "_", "é", "密"]) {
      const key = make(random);
      const left = redactor.text(`${before}${key} end`);
      expect(left).toMatch(/ end$/);
      expect(left).not.toContain(key.slice(-6));
      expect(left).not.toContain(key.slice(4, 12));
    }
  });
});
