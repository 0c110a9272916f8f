// A random value in which a word of the rules (key, pwd, auth) occurs by chance still is a secret: about one in a
// thousand has one.
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { createDraw } from "./planting/draw.ts";

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

  it("goes whatever else chance gives it, but for one in fifty of those that have such a word", () => {
    const draw = createDraw(5);
    const values = Array.from({ length: 600 }, (_, n) => {
      const at = 1 + (n % 27);
      const drawn = draw("words", 28);
      return `${drawn.slice(0, at)}${WORDS[n % WORDS.length]}${drawn.slice(at)}`;
    });
    const kept = values.filter((value) => redactor.text(`client_secret: ${value}`).includes(value));
    expect(kept.length).toBeLessThanOrEqual(12);
  });

  it.each(["accessToken2", "userAuthTokenV2", "getApiKeyFromStore", "sha256KeyBase64", "newSecretForRetryN2"])(
    "is told from a variable, which stays: %s",
    (name) => expect(redactor.text(`connect({ apiKey: ${name}, password: ${name} })`)).not.toContain("<REDACTED>"),
  );
});
