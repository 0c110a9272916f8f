// Text made to keep a redactor busy. Each test ends at all only where the time is linear: twice the texts of the bench
// (docs/reference/redaction.md has the figures), and patterns of a user's that would run away.
import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { compilePatterns, findUserSecrets } from "../../src/redaction/user-patterns.ts";
import { verifies } from "../requirements/verifies.ts";

const MEGABYTE = 1_000_000;
const begin = `-----BEGIN ${"PRIVATE KEY"}-----`;
const CASES: Readonly<Record<string, string>> = {
  "one capital": "A".repeat(256_000),
  "a name without value": "api_key ".repeat(50_000),
  backslashes: `password='${"\\".repeat(100_000)}`,
  "half key markers": "-----BEGIN ".repeat(20_000),
  "megabytes of base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3".repeat(125_000),
  "unclosed key markers": `${begin}\n`.repeat(4_000),
  "a name over and over": "password=".repeat(MEGABYTE / 9),
  "names that end in no value": "authorization:required-".repeat(50_000),
  "names without separator": "password".repeat(MEGABYTE / 8),
  "one letter": "a".repeat(MEGABYTE),
  quotes: '"'.repeat(MEGABYTE),
  "unclosed quotes": `password="x secret='y `.repeat(40_000),
  "token starts": "eyJ".repeat(MEGABYTE / 3),
  "dotted token starts": "eyJaaaaaaaa.".repeat(80_000),
  "scheme marks": "://a:b".repeat(150_000),
  "curl over and over": "curl -u ".repeat(100_000),
  colons: "token:::: ".repeat(100_000),
  cookies: "cookie: a=b; ".repeat(80_000),
  "a file of logins without end": "machine a login b ".repeat(50_000),
  "names and values": 'token", '.repeat(100_000),
  "one long value": `token=${"Ab1+".repeat(MEGABYTE / 4)}`,
  "dotted numbers": "1.".repeat(300_000),
  "digits and blanks": "4 ".repeat(300_000),
  "colons and digits": "2a02:".repeat(200_000),
  "half mailboxes": "a.b@c.".repeat(150_000),
};

describe("hostile text", () => {
  it.each(Object.keys(CASES))("ends on %s", (name) => {
    verifies("field/catastrophic-patterns");
    expect(createRedactor({ pii: true }).text(CASES[name] ?? "").length).toBeGreaterThan(0);
  });

  it("leaves a megabyte of nothing alone and takes a long value whole", () => {
    const redactor = createRedactor();
    expect(redactor.text(CASES["one letter"] ?? "")).toBe(CASES["one letter"]);
    expect(redactor.text(CASES["one long value"] ?? "")).toBe("token=<REDACTED>");
    const long = `authorization: Bearer ${"aB3".repeat(50_000)}`;
    expect(redactor.text(`${long} next`)).toBe("authorization: Bearer <REDACTED> next");
  });
});

describe("a user's pattern", () => {
  const failure = (pattern: string) => {
    try {
      createRedactor({ patterns: ["fine", pattern] });
    } catch (error) {
      if (CompactError.isInstance(error)) return `${error.kind} ${error.code}: ${error.message}`;
    }
    return undefined;
  };

  it.each([
    "(a+)+$",
    "(a|aa)+$",
    "\\w+@corp",
    "a*a*a*a*a*b",
    "x*x*=a*a*c?$",
    ".*secret.*",
    "[a-z]+[a-z0-9]+!",
    "a?".repeat(24) + "a".repeat(24),
  ])("%s is refused with its place, before it meets a text", (pattern) => {
    verifies("field/catastrophic-patterns");
    expect(failure(pattern)).toMatch(/^InvalidConfig INVALID_PATTERN: redaction\.patterns\[1\] /);
  });

  it("says how long is too long", () => {
    expect(failure("\\w+@corp")).toContain("takes over 50 ms on 100 KB of hostile text");
  });

  it.each([
    "x",
    "a+",
    "a{1,3}",
    "\\d{3}-\\d{2}-\\d{4}",
    "key=\\w+",
    "\\w{1,32}@corp",
    "id-[^\\s]+",
    "(?i)badge\\s*[:=]\\s*\\S+",
  ])("%s is taken", (pattern) => {
    expect(failure(pattern)).toBeUndefined();
  });

  it.each(["\\b", "(?=q)", "(?:)|(?=x)", "(?<=a)"])(
    "%s is refused, since it matches nothing that could go",
    (pattern) => {
      expect(failure(pattern)).toMatch(/redaction\.patterns\[1\] matches the empty text$/);
    },
  );

  it.each(["[a-z]{0,64}(?=q)", "\\s*(?=;)", "[a-z]*(?=[0-9])", "(?<=gate: )\\S*"])(
    "%s, which matches nothing in places, is refused or taken in the end",
    (pattern) => {
      const told = failure(pattern);
      expect(told ?? "").toMatch(/^$|takes over 50 ms/);
      if (told === undefined) createRedactor({ patterns: [pattern] }).text("ab12;  ;q gate: x9 ".repeat(2_000));
    },
  );

  it.each(["(?:a{1000}){1000}", "(?:(?:(?:a{99}){99}){99}){99}"])("%s, too large to be run, is refused", (pattern) => {
    expect(failure(pattern)).toMatch(/redaction\.patterns\[1\] (?:is not a regular expression|takes over)/);
  });

  it("finds in every text what it finds in one, whatever it must hold", () => {
    const finds = (pattern: string, text: string) =>
      findUserSecrets(text, compilePatterns([pattern])).map(({ start, end }) => text.slice(start, end));
    expect(finds("(?i)key\\.\\d", "a KEY.7 b")).toEqual(["KEY.7"]);
    expect(finds("ke?y\\+1", "ky+1 key+1 kex")).toEqual(["ky+1", "key+1"]);
    expect(finds("ab{0,2}c|xyz", "ac xyz")).toEqual(["ac", "xyz"]);
    expect(finds("x(?:yz)?w", "xw xyzw")).toEqual(["xw", "xyzw"]);
    expect(finds("\\cAb", "\u0001b")).toEqual(["\u0001b"]);
    expect(finds("[ab]1\\x41", "a1A")).toEqual(["a1A"]);
    expect(finds("é\\d", "É1 é2")).toEqual(["é2"]);
  });

  it("that runs away all the same withholds the text, never passes it on", () => {
    verifies("field/catastrophic-patterns");
    const text = `T-12 ${"a".repeat(60)}!`;
    expect(findUserSecrets(text, [/T-\d+/dg, /(a+)+$/dg])).toContainEqual({
      rule: "pattern-1",
      start: 0,
      end: text.length,
    });
    const found = findUserSecrets(text, [/T-\d+/dg]);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(["T-12"]);
  });
});
