// What share of clear rules and decisions is found, each said alone.
import { describe, expect, it } from "vitest";
import { extractDecisions } from "../../src/facts/kinds/decisions.ts";
import { extractRules } from "../../src/facts/kinds/rules.ts";
import { CLEAR_DECISIONS } from "./clear-decisions.ts";
import { CLEAR_RULES } from "./clear-rules.ts";
import { said } from "./spoken-messages.ts";

describe("clear rules and decisions are found", () => {
  it.each(CLEAR_RULES)("$by, $polarity: $text", ({ by, text, polarity }) => {
    expect(extractRules(said([[by, text]]))).toMatchObject([{ text, polarity }]);
  });

  it.each(CLEAR_DECISIONS.map(({ said: texts }) => ({ texts, last: texts.at(-1)?.[1] ?? "" })))(
    "$last",
    ({ texts }) => {
      const found = extractDecisions(said(texts));
      expect(found.map(({ source }) => source.message)).toContain(texts.length);
    },
  );
});
