// The bench's own secrets as tests: every one gone in every form, a second pass finds nothing, the input stays.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultOf, LEVELS } from "../../bench/redaction/judge.ts";
import { personalSamples } from "../../bench/redaction/personal-samples.ts";
import { countFalseFinds, realTexts } from "../../bench/redaction/real-lines.ts";
import { plantedSamples } from "../../bench/redaction/samples.ts";
import { createFinder, createRedactor } from "../../src/redaction/redactor.ts";
import { verifies } from "../requirements/verifies.ts";

const redactor = createRedactor();
const samples = plantedSamples(1);

describe("planted secrets", () => {
  it("are at least 150 in 40 kinds", () => {
    expect(samples.length).toBeGreaterThanOrEqual(150);
    expect(new Set(samples.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.entries(LEVELS))("go whole, %s, and what stands around them stays", (_, redact) => {
    verifies("field/secrets-missed", "rulings/redaction-of-values");
    const faults = samples.flatMap((sample) => {
      const fault = faultOf(sample, redact(sample.text, redactor));
      return fault === undefined ? [] : [`${sample.kind}, ${sample.surroundings}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it("go whole whatever characters chance gives them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000_000 }), (seed) => {
        const missed = plantedSamples(seed).filter(
          (sample) => faultOf(sample, redactor.text(sample.text)) !== undefined,
        );
        expect(missed.map(({ kind, surroundings, text }) => [kind, surroundings, text])).toEqual([]);
      }),
      { numRuns: 20, seed: 7 },
    );
  });

  it("are told by the id of the rule that found them", () => {
    const find = createFinder({ patterns: ["T-\\d+"], literals: ["hidden-value"], pii: true });
    const rulesOf = (text: string) => [...new Set(find(text).map(({ rule }) => rule))];
    expect(rulesOf('"password": "hunter2"')).toEqual(["named-value"]);
    expect(rulesOf("DB_PASSWORD=hunter2")).toEqual(["environment-variable"]);
    expect(rulesOf("?api_key=abcdefgh")).toEqual(["query-parameter"]);
    expect(rulesOf("Cookie: sid=abcdef123456")).toEqual(["session-cookie"]);
    expect(rulesOf("postgres://u:hunter2@h/d")).toEqual(["url-password"]);
    expect(rulesOf("T-12 and hidden-value")).toEqual(["literal", "pattern-0"]);
    expect(rulesOf("to jo@mail.acme.dev")).toEqual(["email"]);
    expect(samples.filter(({ text }) => find(text).length === 0)).toEqual([]);
  });
});

describe("a second pass", () => {
  it("changes nothing", () => {
    verifies("rulings/redaction-of-values");
    for (const { text } of [...samples, ...personalSamples(1)]) {
      const all = createRedactor({ pii: true });
      for (const form of [text, JSON.stringify({ content: text }), JSON.stringify(JSON.stringify({ content: text }))]) {
        const once = all.text(form);
        expect(all.text(once)).toBe(once);
      }
      const data = all.json({ content: [{ text, input: { password: text } }] });
      expect(all.json(data)).toEqual(data);
    }
  });

  it("changes nothing in random text with secrets planted in it, and no character is cut", () => {
    const noise = fc.string({
      unit: fc.constantFrom(..."aZ0_ \n\"'\\:=;&?/@$<>{}()[].,-", "key", "token", "😀", "é", "<REDACTED>"),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, fc.constantFrom(...samples)), { maxLength: 6 }), noise, (parts, end) => {
        const text = parts.map(([between, { text }]) => between + text).join("") + end;
        const once = redactor.text(text);
        expect(redactor.text(once)).toBe(once);
        expect(once.isWellFormed?.() ?? true).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("leaves an escape whole before a secret that is glued to it", () => {
    const line = JSON.stringify({ content: "see:\ncache_T9D8Q~VDqBYNm8e4J62f5DuhqgYmYnBHMHwDV5SJ is gone" });
    expect(JSON.parse(redactor.text(line))).toEqual({ content: "see:\n<REDACTED> is gone" });
  });

  it("leaves JSON valid and equal to the redaction of its data's strings", () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.string(), ({ text }, extra) => {
        const line = JSON.stringify({ role: "tool", content: `${extra}\n${text}\n${extra}` });
        expect(() => JSON.parse(redactor.text(line))).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

describe("copy on export", () => {
  it("leaves a frozen input as it is", () => {
    verifies("rulings/redaction-of-values");
    const input = deepFreeze({
      messages: samples.map(({ text }) => ({ role: "user", content: [{ type: "text", text }] })),
    });
    const before = JSON.stringify(input);
    const copy = redactor.json(input);
    expect(JSON.stringify(input)).toBe(before);
    expect(JSON.stringify(copy)).not.toBe(before);
  });
});

describe.skipIf(!process.env.AGENT_CORPUS)("real transcripts", () => {
  it("keep their lines, but one in ten thousand", () => {
    verifies("field/code-mangled-by-redaction");
    const { lines, byRule } = countFalseFinds(realTexts(), createFinder({}));
    expect(lines).toBeGreaterThan(100_000);
    expect([...byRule.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(lines / 10_000);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
