// The shape of the configuration, as code sees it (camelCase). Strict: an unknown key is an error, never ignored.
// Each message completes the sentence that starts with the field's path.
import { z } from "zod";
import { STRATEGIES } from "../summarizers/summarizer.ts";

function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most.toLocaleString("en-US")}`;
  return z.number(message).int(message).min(least, message).max(most, message);
}

function share() {
  const message = "must be 0.0-1.0, above 0";
  return z.number(message).gt(0, message).max(1, message);
}

function oneOf<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, `must be one of: ${choices.join(", ")}`);
}

const yesOrNo = z.boolean("must be true or false");
const text = z.string("must be a text").min(1, "must not be empty");
/** An implementation of a contract, told by the functions it must have. */
const having = (what: string, ...functions: readonly string[]) =>
  z.custom<object>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      functions.every((name) => typeof (value as Record<string, unknown>)[name] === "function"),
    `must be ${what}`,
  );
const aFunction = z.custom<(...input: never[]) => unknown>(
  (value) => typeof value === "function",
  "must be a function",
);

const MOST_TOKENS = 100_000_000;
const MOST_BYTES = 4_000_000_000;

export const policySchema = z.strictObject({
  triggerPct: share().optional(),
  triggerTokens: whole(1, MOST_TOKENS).optional(),
  hardCapBuffer: whole(0, MOST_TOKENS).optional(),
  keepRecentTurns: whole(0, 100_000).optional(),
  keepToolIoPairs: whole(0, 100_000).optional(),
  rolesNeverPrune: z.array(oneOf(["system", "developer", "user", "assistant", "tool"])).optional(),
  strategy: oneOf(STRATEGIES).optional(),
  targetPct: share().optional(),
  targetTokens: whole(1, MOST_TOKENS).optional(),
  summaryMaxTokens: z
    .union([z.literal("auto"), whole(1, MOST_TOKENS)], "must be auto or a whole number of tokens")
    .optional(),
  onSummaryFailure: oneOf(["pruning-only", "extractive", "keep"]).optional(),
  stateTools: z.array(text).optional(),
  shortenToolResults: yesOrNo.optional(),
  shortenUserMessages: yesOrNo.optional(),
  maxRequestBytes: whole(1024, MOST_BYTES).optional(),
  stripReasoning: yesOrNo.optional(),
});

const redactionSchema = z.strictObject({
  enabled: yesOrNo.optional(),
  patterns: z.array(text).optional(),
  allow: z.array(text).optional(),
  pii: yesOrNo.optional(),
});

/** Keys that a file and code share. */
const sharedKeys = {
  model: text.optional(),
  maxContextTokens: whole(1, MOST_TOKENS).optional(),
  reservedOutputTokens: whole(0, MOST_TOKENS).optional(),
  enabled: yesOrNo.optional(),
  policy: policySchema.optional(),
  redaction: redactionSchema.optional(),
};

/** What `CompactManager` takes. */
export const conversationConfigSchema = z.strictObject({
  ...sharedKeys,
  summarizer: having("a summarizer (kind, summarize)", "summarize").optional(),
  archive: z
    .union(
      [
        z.literal(false),
        z.strictObject({ path: text }),
        having("an archive", "saveTranscript", "readState", "nextStep"),
      ],
      "must be an archive, {path} or false",
    )
    .optional(),
  archiveOptional: yesOrNo.optional(),
  trace: z.array(having("a sink (emit, flush)", "emit", "flush"), "must be a list of sinks").optional(),
  tokenCounter: having("a token counter (count)", "count").optional(),
  protect: aFunction.optional(),
  now: aFunction.optional(),
});

/** What a configuration file takes, keys already in camelCase. */
export const configFileSchema = z.strictObject({
  version: z.literal("1.0", 'must be "1.0"').optional(),
  ...sharedKeys,
  storage: z
    .strictObject({ adapter: oneOf(["fs"]).optional(), path: text.optional(), required: yesOrNo.optional() })
    .optional(),
  telemetry: z.strictObject({ console: yesOrNo.optional() }).optional(),
});

export type ConfigFile = z.infer<typeof configFileSchema>;
