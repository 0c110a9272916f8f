// A random value in which a word of the rules (key, pwd, auth) occurs by chance still is a secret: about one in a
// thousand has one.
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/redaction/redactor.ts";

const redactor = createRedactor();
const WORDS = ["Key", "Pwd", "Auth", "Cred", "key", "pwd"];

describe("a value with a rule's word in it by chance", () => {
  it.each([
    ["an assignment", (value: string) => `api_key=${value}`],
    ["a header", (value: string) => `X-Api-Key: ${value}`],
    ["a line of YAML", (value: string) => `client_secret: ${value}`],
    ["a sentence", (value: string) => `the login is admin, password: ${value}`],
    ["a connection string", (value: string) => `Server=db;Password=${value};Encrypt=true`],
  ])("goes like any other, in %s", (_where, around) => {
    const values = WORDS.map((word) => ["q7Hs2m", word, "Zx81nQw93"].join(""));
    const kept = values.filter((value) => redactor.text(around(value)).includes(value));
    expect(kept).toEqual([]);
  });
});
