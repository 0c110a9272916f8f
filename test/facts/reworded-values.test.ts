// A value that is replaced in other words than it was set: the old one is marked, and nothing else is.
import { describe, expect, it } from "vitest";
import { extractValues, mergeValues } from "../../src/facts/kinds/values.ts";
import { said } from "./spoken-messages.ts";

const standing = (texts: readonly string[]) =>
  extractValues(said(texts.map((text) => ["user", text] as const))).flatMap(({ value, supersededBy }) =>
    supersededBy === undefined ? [value] : [],
  );

describe("a value that changes in other words", () => {
  it.each([
    ["The gateway listens on port 8443.", "Change of plan: the gateway port is 9443 now.", "9443"],
    ["The staging database lives at db-3.internal.", "Staging database has moved to db-7.internal.", "db-7.internal"],
    ["Our release date is 2031-05-02.", "The release got pushed to 2031-06-11.", "2031-06-11"],
    ["The feature flag is called beta_checkout.", "We renamed the flag to checkout_v2.", "checkout_v2"],
    ["Die Frist ist der 12. Mai.", "Die Frist wurde auf den 3. Juni verschoben.", "3. Juni"],
    ["The deadline is 12 May.", "The deadline is now May 20th, 2031.", "May 20th, 2031"],
    ["The worker timeout is 30 seconds.", "Actually, the timeout is 45 seconds.", "45 seconds"],
  ])("%s / %s", (before, after, value) => {
    expect(standing([before, after])).toEqual([value]);
    const rounds = mergeValues(extractValues(said([["user", before]])), extractValues(said([["user", after]], 2)));
    expect(rounds.flatMap((fact) => (fact.supersededBy === undefined ? [fact.value] : []))).toEqual([value]);
  });

  it.each([
    ["another thing of the same kind", ["The gateway port is 8443.", "The admin port is 9443 now."]],
    ["another kind of value", ["The release date is 2031-05-02.", "The release number is 14 now."]],
    ["no word of change", ["The gateway listens on port 8443.", "The gateway port is 9443."]],
    ["two that could be meant", ["The gateway port is 8443.", "The admin port is 7443.", "The port is 9443 now."]],
    ["another's part", ["The timeout of the worker is 30 s.", "Now set the gateway timeout to 45 s."]],
  ])("leaves standing: %s", (_name, texts) => {
    expect(standing(texts)).toHaveLength(texts.length);
  });

  it("is back when it is said again", () => {
    const texts = [
      "The gateway listens on port 8443.",
      "The gateway port is 9443 now.",
      "Sorry, the gateway port is 8443 after all.",
    ];
    expect(standing(texts)).toEqual(["8443"]);
  });
});
