// What facts make of secrets that were taken out: the mark stays whole, and a key is carried though its value is gone.
import { describe, expect, it } from "vitest";
import { extractErrors } from "../../src/facts/kinds/errors.ts";
import { extractIdentifiers } from "../../src/facts/kinds/identifiers.ts";
import { extractValues } from "../../src/facts/kinds/values.ts";
import { splitSentences } from "../../src/facts/language/sentences.ts";
import { EMPTY_LEDGER } from "../../src/facts/ledger.ts";
import { oneLine, valuableFacts } from "../../src/facts/ledger-text.ts";
import { call, factMessages, user } from "./fact-messages.ts";

describe("a secret that was taken out", () => {
  it.each([
    ["DEPLOY_TOKEN=<REDACTED>", "DEPLOY_TOKEN = <REDACTED>"],
    ["Use DEPLOY_TOKEN=<REDACTED>, as before.", "DEPLOY_TOKEN = <REDACTED>"],
    ["(DEPLOY_TOKEN=<REDACTED>).", "DEPLOY_TOKEN = <REDACTED>"],
    ["```env\nDEPLOY_TOKEN=<REDACTED>\n```", "DEPLOY_TOKEN = <REDACTED>"],
    ["DB_URL=postgres://u:<REDACTED>@db:5432/d", "DB_URL = postgres://u:<REDACTED>@db:5432/d"],
  ])("is a value with its mark whole: %s", (text, expected) => {
    const values = extractValues(factMessages([user(text)]));
    expect(values.map(({ key, value }) => `${key} = ${value}`)).toEqual([expected]);
  });

  it("is missed by its key, since the mark is in every text", () => {
    const values = extractValues(factMessages([user("DEPLOY_TOKEN=<REDACTED>")]));
    const [fact] = valuableFacts({ ...EMPTY_LEDGER, values });
    expect(fact).toEqual({ needle: "DEPLOY_TOKEN", line: "- DEPLOY_TOKEN = <REDACTED> [1.1]" });
  });

  it("is a part of its address", () => {
    const found = extractIdentifiers(factMessages([user("Connect to postgres://u:<REDACTED>@db:5432/d now.")]));
    expect(found.map(({ value }) => value)).toContain("postgres://u:<REDACTED>@db:5432/d");
  });

  it("stays in the words around it", () => {
    expect(oneLine(`${"x".repeat(95)} <REDACTED>`, 100)).toBe(`${"x".repeat(95)}…`);
    const failed = call("Deploy", {}, "<error>token <REDACTED> is refused</error>", true);
    expect(extractErrors(factMessages([failed])).map(({ text }) => text)).toEqual(["token <REDACTED> is refused"]);
    expect(splitSentences("Never print <REDACTED> again.")).toEqual(["Never print <REDACTED> again."]);
  });
});
