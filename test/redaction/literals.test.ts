import { describe, expect, it } from "vitest";
import { CompactManager } from "../../src/index.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { verifies } from "../requirements/verifies.ts";

const M = "<REDACTED>";

describe("literals", () => {
  it("go as they stand, not as patterns", () => {
    verifies("field/literals-used-as-patterns");
    const redactor = createRedactor({ literals: ["a.*b", "$1$&$$", "(unclosed"] });
    expect(redactor.text("a.*b but not a---b, $1$&$$ but not $1, (unclosed")).toBe(
      `${M} but not a---b, ${M} but not $1, ${M}`,
    );
  });

  it("that are empty are ignored, as an unset variable is", () => {
    verifies("field/literals-used-as-patterns");
    const text = "nothing here is a secret";
    expect(createRedactor({ literals: ["", "  "] }).text(text)).toBe(text);
  });

  it.each(["x", "$1", "abc"])("%s is too short and refused by its place, without being quoted", (short) => {
    verifies("field/literals-used-as-patterns");
    const make = () => createRedactor({ literals: ["long enough", short] });
    expect(make).toThrow("redaction.literals[1] is shorter than 4 characters");
    expect(make).not.toThrow(`"${short}"`);
  });

  it("are found as JSON strings and addresses write them", () => {
    const secret = 'pa"ss\\wörd &1';
    const redactor = createRedactor({ literals: [secret] });
    const inJson = JSON.stringify({ note: secret, again: JSON.stringify({ secret }) });
    const redacted = redactor.text(inJson);
    expect(JSON.parse(redacted)).toEqual({ note: M, again: `{"secret":"${M}"}` });
    expect(redactor.text(`https://h/?q=${encodeURIComponent(secret)}`)).toBe(`https://h/?q=${M}`);
    expect(redactor.json({ [`${secret}s`]: [secret] })).toEqual({ [`${M}s`]: [M] });
  });

  it("are taken by the library and unknown to files", () => {
    expect(() => new CompactManager({ redaction: { literals: ["", "hidden-value"] } })).not.toThrow();
    expect(() => new CompactManager({ redaction: { literals: ["x"] } })).toThrow(
      "redaction.literals[0] is shorter than 4 characters",
    );
  });
});
