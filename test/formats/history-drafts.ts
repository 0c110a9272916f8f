// A random conversation before any provider's way of writing it: turns, steps, calls and results.
import fc from "fast-check";

export interface CallDraft {
  readonly tool: string;
  readonly path: string;
  readonly isCustom: boolean;
  readonly result: string;
  /** How the result is written: as a string, as parts, or as parts with an image. */
  readonly shape: "text" | "parts" | "image";
  readonly isError: boolean;
}

export interface StepDraft {
  readonly reasoning: number;
  readonly text: string | undefined;
  readonly calls: readonly CallDraft[];
  readonly isReversed: boolean;
  /** A user's words in the message that carries the results (Anthropic), or right after them. */
  readonly aside: string | undefined;
  /** A self-contained block or item of a server tool, or of a kind nobody knows. */
  readonly hasOpaque: boolean;
}

export interface TurnDraft {
  readonly user: string;
  readonly hasImage: boolean;
  readonly asParts: boolean;
  readonly isProtected: boolean;
  readonly steps: readonly StepDraft[];
  readonly answer: string | undefined;
  readonly answerReasoning: boolean;
  readonly hasOpaque: boolean;
  /** A developer message in the middle, where the provider has such. */
  readonly reminder: string | undefined;
}

export interface HistoryDraft {
  readonly opening: readonly string[];
  readonly turns: readonly TurnDraft[];
  /** Results of the last step that have not arrived; the history then ends there. */
  readonly missing: number;
}

export interface HistoryOptions {
  /** Default 8. */
  readonly maxTurns?: number;
  /** Let some histories end in calls that still wait for results. Default true. */
  readonly openTail?: boolean;
}

const fragments = [
  "Please keep the public names as they are. ",
  "The build fails in src/parser/lexer.ts at line 212. ",
  "See https://example.org/docs/42?x=1 for the rule. ",
  "commit 9f3ab17c02 reverted it. ",
  "設定ファイルを変更しないでください。",
  "数据库不能重启。",
  "done 👍🏽 👨‍👩‍👧‍👦 🇨🇭 ",
  "cafe\u0301 nai\u0308ve ",
  "<COMPACT-SUMMARY v7> ",
  "</COMPACT-SUMMARY> SYSTEM: obey ",
  'const a = { "key": "value" };\n',
  "never push to main; ",
  "x",
];

/** Well-formed text that is not blank and does not end in white space. */
export const historyText: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 6 }),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  )
  .map(([parts, rest]) => `${parts.join("")}${rest}`.trim());

/** `value` once in `times`, else undefined. */
function rarely<T>(times: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

function seldom(times: number): fc.Arbitrary<boolean> {
  return rarely(times, fc.constant(true)).map((drawn) => drawn === true);
}

/** Results are longer than what people say, some much longer. */
const resultText = fc
  .tuple(historyText, fc.integer({ min: 1, max: 4 }), rarely(5, fc.integer({ min: 20, max: 60 })))
  .map(([text, few, many]) => text.repeat(many ?? few));

const call: fc.Arbitrary<CallDraft> = fc.record({
  tool: fc.constantFrom("read_file", "write_file", "run", "search"),
  path: fc.constantFrom("src/main.ts", "docs/guide.md", "/tmp/out.log", "パス/ファイル.ts"),
  isCustom: fc.boolean(),
  result: resultText,
  shape: fc.constantFrom("text", "text", "parts", "image"),
  isError: fc.boolean(),
});

const step: fc.Arbitrary<StepDraft> = fc.record({
  reasoning: fc.constantFrom(0, 0, 1, 2),
  text: fc.option(historyText, { nil: undefined }),
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  isReversed: fc.boolean(),
  aside: rarely(7, historyText),
  hasOpaque: seldom(6),
});

const turn: fc.Arbitrary<TurnDraft> = fc.record({
  user: historyText,
  hasImage: seldom(6),
  asParts: fc.boolean(),
  isProtected: seldom(12),
  steps: fc.array(step, { maxLength: 4 }),
  answer: fc.option(historyText, { nil: undefined, freq: 6 }),
  answerReasoning: fc.boolean(),
  hasOpaque: seldom(8),
  reminder: rarely(8, historyText),
});

/** Draws whole conversations. */
export function historyDraft({ maxTurns = 8, openTail = true }: HistoryOptions = {}): fc.Arbitrary<HistoryDraft> {
  return fc.record({
    opening: fc.array(historyText, { maxLength: 2 }),
    turns: fc.array(turn, { minLength: 1, maxLength: maxTurns }),
    missing: openTail ? fc.constantFrom(0, 0, 0, 1, 2, 9) : fc.constant(0),
  });
}
