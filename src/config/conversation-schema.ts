// The shape of the configuration of the conversation part, as code has it. Strict: an unknown key is an error, never
// ignored. What a key means stands beside it; the reference page is made from that. What a file has besides is
// file-schema.ts's: a program that is configured in code loads none of it.
import * as z from "zod/mini";
import { type ConversationPolicy, DEFAULT_POLICY } from "../conversation/policy.ts";
import { CompactError } from "../errors.ts";
import { compilePatterns, spellLiterals } from "../redaction/user-patterns.ts";
import { STRATEGIES } from "../summaries/summarizer.ts";
import { figure } from "../text/figures.ts";
import { DEFAULT_WINDOW } from "../tokens/models.ts";
import { key, listOf, MOST_TOKENS, oneOf, share, strict, text, whole, yesOrNo } from "./schema-parts.ts";
import { archiveConfigSchema, storageSchema } from "./storage-schema.ts";
import { summarizerConfigSchema } from "./summarizer-schema.ts";

const MOST_BYTES = 4_000_000_000;
const ROLES = ["system", "developer", "user", "assistant", "tool"] as const;
const rules = DEFAULT_POLICY;

const summaryCap = z.union([z.literal("auto"), whole(1, MOST_TOKENS)], "must be auto or a whole number of tokens");

export const policySchema = strict({
  triggerPct: key(share(), "Share of the window at which compaction starts.", { default: rules.triggerPct }),
  triggerTokens: key(whole(1, MOST_TOKENS), "Tokens at which it starts, whichever of the two comes first.", {
    note: "off",
    example: 150_000,
  }),
  preparePct: key(share(), "Share of the window at which a summary is started in the background.", {
    note: "off",
    example: 0.75,
  }),
  prepareTokens: key(whole(1, MOST_TOKENS), "Tokens at which it is, whichever of the two comes first.", {
    note: "off",
    example: 120_000,
  }),
  hardCapBuffer: key(whole(0, MOST_TOKENS), "Tokens of the window kept free for the next input and tool answers.", {
    default: rules.hardCapBuffer,
  }),
  keepRecentTurns: key(whole(0, 100_000), "Most turns kept untouched.", { default: rules.keepRecentTurns }),
  keepToolIoPairs: key(whole(0, 100_000), "Most tool calls kept with their results.", {
    default: rules.keepToolIoPairs,
  }),
  rolesNeverPrune: key(listOf(oneOf(ROLES), `roles (${ROLES.join(", ")})`), "Roles whose messages always stay.", {
    default: rules.rolesNeverPrune,
  }),
  strategy: key(oneOf(STRATEGIES), "How the summary is written.", { default: rules.strategy }),
  targetPct: key(share(), "Share of the window that a compaction comes down to.", {
    note: "trigger_pct less 0.10",
    example: 0.75,
  }),
  targetTokens: key(whole(1, MOST_TOKENS), "Tokens that it comes down to, instead of the share.", {
    note: "off",
    example: 90_000,
  }),
  summaryMaxTokens: key(
    summaryCap,
    "Cap of the summary, in tokens. auto: what the target leaves, at most a twelfth of the budget, more only for what is essential.",
    {
      default: rules.summaryMaxTokens,
    },
  ),
  onSummaryFailure: key(
    oneOf(["pruning-only", "extractive", "keep"]),
    "What is done when the model wrote no summary: prune with a notice, summarize by code, or leave the list as it is.",
    { default: rules.onSummaryFailure },
  ),
  stateTools: key(
    listOf(text, "tool names"),
    "Tools whose latest state is carried item by item, besides the to-do tools known by name.",
    { default: rules.stateTools },
  ),
  shortenToolResults: key(yesOrNo, "Long tool results may be shortened where they stand, marked.", {
    default: rules.shortenToolResults,
  }),
  shortenUserMessages: key(yesOrNo, "A user message larger than the room is shortened, marked, instead of an error.", {
    default: rules.shortenUserMessages,
  }),
  maxRequestBytes: key(whole(1024, MOST_BYTES), "Bytes of JSON above which the oldest images become placeholders.", {
    note: "off",
    example: 20_000_000,
  }),
  stripReasoning: key(yesOrNo, "Leaves the reasoning of finished turns out of what is kept.", {
    default: rules.stripReasoning,
  }),
});

const pattern = text.check(({ value, issues }) => {
  try {
    compilePatterns([value]);
  } catch (error) {
    issues.push({ code: "custom", ...faultOf(error), input: "" });
  }
});

const redactionKeys = {
  enabled: key(yesOrNo, "Takes secrets out of archives and events.", { default: true }),
  patterns: key(listOf(pattern, "regular expressions"), "Secrets of your own, beside the built-in rules.", {
    default: [],
    example: ["(?i)internal-[0-9]{6}"],
  }),
  allow: key(listOf(text, "texts"), "Exact values that are never redacted.", { default: [] }),
  pii: key(yesOrNo, "Also e-mail addresses, telephone numbers, payment cards, IBANs and public IP addresses.", {
    default: false,
  }),
};

const limitKeys = {
  maxContextTokens: key(whole(1, MOST_TOKENS), "The model's window, in tokens. A model unknown by name needs it.", {
    note: `the model's; ${figure(DEFAULT_WINDOW)} without a model`,
    example: 200_000,
  }),
  reservedOutputTokens: key(whole(0, MOST_TOKENS), "Tokens of the window kept free for the answer.", { default: 0 }),
};

const modelOverridesSchema = z
  .record(
    z.string(),
    strict({ ...limitKeys, policy: z.optional(policySchema) }),
    "must hold model names, each with the keys that differ",
  )
  .check(({ value, issues }) => {
    for (const name of Object.keys(value)) {
      if (name.trim() !== "" && !name.slice(0, -1).includes("*")) continue;
      issues.push({ code: "custom", path: [name], message: "must be a model's name; * may end it", input: "" });
    }
  });

const literal = z.string("must be a text").check(({ value, issues }) => {
  try {
    spellLiterals([value]);
  } catch (error) {
    issues.push({ code: "custom", message: faultOf(error).message, input: "" });
  }
});

/** Without the name of the option, which the field's path says. */
function faultOf(error: unknown) {
  const message = (error as Error).message.replace(/^\S{1,40} /, "");
  const hint = CompactError.isInstance(error) ? error.hint : undefined;
  return { message, ...(hint === undefined ? {} : { params: { hint } }) };
}

/** In code only: a file that lists secrets would be one more place to leak from. */
const redactionInCode = strict({ ...redactionKeys, literals: z.optional(listOf(literal, "texts")) });

/** Keys that a file and code share. */
export const sharedKeys = {
  enabled: key(yesOrNo, "false: nothing is compacted but by hand.", { default: true }),
  model: key(text, "The agent's model: decides how tokens are counted, and the window.", {
    note: "none: o200k_base",
    example: "gpt-4o",
  }),
  ...limitKeys,
  policy: z.optional(policySchema),
  redaction: z.optional(strict(redactionKeys)),
  models: z.optional(modelOverridesSchema),
  memory: z.optional(
    strict({
      observations: key(
        text,
        "A memory database that gets a row for each request of a session, with what came of it, after each compaction: a SQLite file, from the working directory. ~ is the home folder.",
        { note: "nowhere", example: "~/.agent-compact/memory.db" },
      ),
      project: key(text, "Project of these rows.", { note: "the name of the working directory", example: "shop" }),
    }),
  ),
};

/** Limits and policy of one model, where they differ from the rest. */
export interface ModelOverrides {
  readonly maxContextTokens?: number | undefined;
  readonly reservedOutputTokens?: number | undefined;
  readonly policy?: { readonly [Key in keyof ConversationPolicy]?: ConversationPolicy[Key] | undefined } | undefined;
}

/** An implementation of a contract, recognised by the functions it must have. */
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

/** What `CompactManager` takes. */
export const conversationConfigSchema = strict({
  ...sharedKeys,
  redaction: z.optional(redactionInCode),
  summarizer: z.optional(summarizerConfigSchema),
  archive: z.optional(archiveConfigSchema),
  archiveOptional: z.optional(yesOrNo),
  retention: storageSchema.shape.retention,
  trace: z.optional(z.array(having("a sink (emit, flush)", "emit", "flush"), "must be a list of sinks")),
  tokenCounter: z.optional(having("a token counter (count)", "count")),
  protect: z.optional(aFunction),
  now: z.optional(aFunction),
});
