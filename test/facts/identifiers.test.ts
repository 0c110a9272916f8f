// Names that people and the assistant say and that cannot be said in other words.
import { describe, expect, it } from "vitest";
import { extractIdentifiers, findIdentifiers, mergeIdentifiers } from "../../src/facts/said.ts";
import { isWellFormed } from "../../src/text/well-formed.ts";
import { printed, said } from "./spoken-messages.ts";

describe("findIdentifiers", () => {
  it.each<[string, readonly string[]]>([
    ["see https://example.com/a?b=1, and http://x.test/y).", ["https://example.com/a?b=1", "http://x.test/y"]],
    ["edit src/pay/ledger_v3.ts:212 and ./a/b.test.tsx", ["src/pay/ledger_v3.ts:212", "./a/b.test.tsx"]],
    ["`~/x/.env.local` and /etc/hosts", ["~/x/.env.local", "/etc/hosts"]],
    ["package.json or ab.ts, e.g. 3.14", ["package.json", "ab.ts"]],
    [
      "commit 4f2a91c and 0123456789abcdef0123456789abcdef01234567",
      ["4f2a91c", "0123456789abcdef0123456789abcdef01234567"],
    ],
    ["1234567 deadbee defaced", []],
    ["id 123e4567-e89b-12d3-a456-426614174000.", ["123e4567-e89b-12d3-a456-426614174000"]],
    ["for PAY-1432, not for A-1", ["PAY-1432"]],
    ["on v2.14.0-rc.1 and 1.2.3", ["v2.14.0-rc.1", "1.2.3"]],
    ["set MAX_RETRIES and DB_URL", ["MAX_RETRIES", "DB_URL"]],
    ["either/or, 1/2, 24.12? no", []],
    ["看看src/a.ts文件", ["src/a.ts"]],
    ["ab.ts ab.ts", ["ab.ts"]],
  ])("%s", (text, expected) => {
    expect(findIdentifiers(text)).toEqual(expected);
  });

  it("takes linear time on hostile text", () => {
    for (const unit of [
      "a",
      "/",
      ".",
      "a.",
      "a/",
      "a+b/",
      "f0",
      "http://",
      "é",
      "A_",
      "A-1",
      "1.",
      "-",
      "~/",
      "../",
      "@",
      "a:1",
    ]) {
      const found = findIdentifiers(unit.repeat(300_000 / unit.length));
      expect(found.length).toBeLessThan(2_000);
      expect(found.every(isWellFormed)).toBe(true);
    }
  });
});

describe("over messages and rounds", () => {
  it("counts a name once a message of people and the assistant, never of tools, hosts or systems", () => {
    const messages = said([
      ["user", "open one.ts and one.ts"],
      ["assistant", "one.ts is open"],
      ["host", "one.ts"],
      ["system", "one.ts"],
    ]);
    expect(extractIdentifiers([...messages, printed("one.ts", 5)])).toEqual([
      { kind: "identifier", value: "one.ts", mentions: 2, source: { step: 1, message: 2 } },
    ]);
  });

  it("adds up mentions; what was said last stands last", () => {
    const first = extractIdentifiers(said([["user", "one.ts and two.ts"]], 1));
    const second = extractIdentifiers(said([["user", "one.ts"]], 2));
    expect(mergeIdentifiers(first, second)).toEqual([
      { kind: "identifier", value: "two.ts", mentions: 1, source: { step: 1, message: 1 } },
      { kind: "identifier", value: "one.ts", mentions: 2, source: { step: 2, message: 1 } },
    ]);
  });
});
