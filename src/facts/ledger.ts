// The ledger: hard facts of a conversation, found by code, each with the message it came from, carried from
// round to round. Plain serialisable data, so its types are read off the schemas that check it when it is read
// back. How facts are found, merged and worded lives beside it.
import * as z from "zod/mini";

/** Where a fact was seen: compaction step (the archive's transcript number) and 1-based message number in it. */
const sourceSchema = z.readonly(z.object({ step: z.number(), message: z.number() }));
export type Source = z.infer<typeof sourceSchema>;

/** How a source is cited in a summary, and what `archive expand` takes: `1.12`. */
export function cite(source: Source): string {
  return `${source.step}.${source.message}`;
}

/** What a later fact replaced; shown as such or not at all, never as current. */
const replaced = { supersededBy: z.optional(sourceSchema) };

export const userMessageSchema = z.readonly(
  z.object({
    kind: z.literal("user_message"),
    /** The message's text blocks; one for a plain message. */
    blocks: z.readonly(z.array(z.string())),
    /** `host` for texts in a user message that no person wrote (a host's own earlier summary). */
    author: z.enum(["user", "host"]),
    source: sourceSchema,
  }),
);

/** What a user demanded or forbade for good. Only from user, system and developer messages. */
export const ruleSchema = z.readonly(
  z.object({
    kind: z.literal("rule"),
    /** The sentence, as it was said. */
    text: z.string(),
    polarity: z.enum(["must", "must_not"]),
    source: sourceSchema,
    ...replaced,
  }),
);

/** How a user answered what was proposed or done. */
export const responseSchema = z.readonly(
  z.object({
    kind: z.literal("response"),
    form: z.enum(["approval", "refusal", "correction"]),
    text: z.string(),
    /** The assistant message that was answered. */
    about: z.optional(sourceSchema),
    source: sourceSchema,
  }),
);

/** A choice that was made, by whom, and why. Never from a tool's text. */
export const decisionSchema = z.readonly(
  z.object({
    kind: z.literal("decision"),
    text: z.string(),
    by: z.enum(["user", "assistant"]),
    rationale: z.optional(z.string()),
    alternatives: z.readonly(z.array(z.string())),
    /** What was looked at before (files, commands) and what came of it, briefly. */
    inputs: z.readonly(z.array(z.string())),
    outputs: z.readonly(z.array(z.string())),
    source: sourceSchema,
    ...replaced,
  }),
);

export const fileSchema = z.readonly(
  z.object({
    kind: z.literal("file"),
    path: z.string(),
    /** The strongest thing done to it: written stays written when it is read again; moved and deleted are final until it is written. */
    operation: z.enum(["read", "written", "moved", "deleted"]),
    /** New path of a moved file. */
    to: z.optional(z.string()),
    /** Functions, classes, tables touched, from the edits themselves. */
    symbols: z.readonly(z.array(z.string())),
    /** Number of edits. */
    edits: z.number(),
    /** Why, in the assistant's words just before the edit, one short sentence. */
    reason: z.optional(z.string()),
    source: sourceSchema,
  }),
);

/** A command that was run, its newest outcome. */
export const commandSchema = z.readonly(
  z.object({
    kind: z.literal("command"),
    command: z.string(),
    outcome: z.enum(["ok", "failed", "unknown"]),
    /** The line of the output that says most: a test count, an error, an exit code. */
    detail: z.optional(z.string()),
    runs: z.number(),
    source: sourceSchema,
  }),
);

export const errorSchema = z.readonly(
  z.object({
    kind: z.literal("error"),
    /** The line that names it. */
    text: z.string(),
    /** The command or tool that failed; its success later settles the error. */
    from: z.string(),
    status: z.enum(["open", "fixed"]),
    /** What was done between the last failure and the success, briefly. */
    fix: z.optional(z.string()),
    fixedAt: z.optional(sourceSchema),
    source: sourceSchema,
  }),
);

/** The latest state of a plan or to-do list, item by item. */
export const planSchema = z.readonly(
  z.object({
    kind: z.literal("plan"),
    /** The tool that keeps it, or `announced` for steps the assistant named in its text. */
    from: z.string(),
    items: z.readonly(
      z.array(
        z.object({
          text: z.string(),
          status: z.enum(["done", "in_progress", "not_started"]),
          /** What shows it. */
          evidence: z.optional(sourceSchema),
        }),
      ),
    ),
    source: sourceSchema,
  }),
);

/** A value with its key: `maxRetry=17`, "the port is 8443". */
export const valueSchema = z.readonly(
  z.object({
    kind: z.literal("value"),
    /** As it was written; compared without case and punctuation. */
    key: z.string(),
    value: z.string(),
    /** The sentence or line that says it. */
    text: z.string(),
    by: z.enum(["user", "assistant", "tool"]),
    source: sourceSchema,
    ...replaced,
  }),
);

export const IDENTIFIER_FORMS = [
  "url",
  "path",
  "hash",
  "uuid",
  "ticket",
  "version",
  "flag",
  "host",
  "variable",
  "cloud",
  "date",
  "quantity",
  "person",
  "code",
  "handle",
] as const;

export const identifierSchema = z.readonly(
  z.object({
    kind: z.literal("identifier"),
    form: z.enum(IDENTIFIER_FORMS),
    value: z.string(),
    /** Number of messages that name it, over all rounds. */
    mentions: z.number(),
    /** The words around it where it was first named by a person or the assistant, one short line. */
    context: z.optional(z.string()),
    /** Where it was seen last. */
    source: sourceSchema,
  }),
);

/** The output that shows it, by the name that both have. */
const evidenceSchema = z.readonly(z.object({ name: z.string(), source: sourceSchema }));

/** What the assistant reported when it ended a step: the opening of a message without tool calls. Where none followed, its last words. */
export const statementSchema = z.readonly(
  z.object({
    kind: z.literal("statement"),
    text: z.string(),
    /** Said on the way to an answer that had not come yet: the step that was under way. */
    isStep: z.optional(z.literal(true)),
    /** Set when the words hedge: with the later output that names what they are about, where there is any. */
    guess: z.optional(z.readonly(z.object({ evidence: z.optional(evidenceSchema) }))),
    source: sourceSchema,
  }),
);

export const ledgerSchema = z.readonly(
  z.object({
    version: z.literal(1),
    userMessages: z.readonly(z.array(userMessageSchema)),
    rules: z.readonly(z.array(ruleSchema)),
    responses: z.readonly(z.array(responseSchema)),
    decisions: z.readonly(z.array(decisionSchema)),
    files: z.readonly(z.array(fileSchema)),
    commands: z.readonly(z.array(commandSchema)),
    errors: z.readonly(z.array(errorSchema)),
    plans: z.readonly(z.array(planSchema)),
    values: z.readonly(z.array(valueSchema)),
    identifiers: z.readonly(z.array(identifierSchema)),
    statements: z.readonly(z.array(statementSchema)),
  }),
);

export type UserMessageFact = z.infer<typeof userMessageSchema>;
export type RuleFact = z.infer<typeof ruleSchema>;
export type ResponseFact = z.infer<typeof responseSchema>;
export type DecisionFact = z.infer<typeof decisionSchema>;
export type FileFact = z.infer<typeof fileSchema>;
export type CommandFact = z.infer<typeof commandSchema>;
export type ErrorFact = z.infer<typeof errorSchema>;
export type PlanFact = z.infer<typeof planSchema>;
export type ValueFact = z.infer<typeof valueSchema>;
export type IdentifierFact = z.infer<typeof identifierSchema>;
export type StatementFact = z.infer<typeof statementSchema>;
export type Ledger = z.infer<typeof ledgerSchema>;

export const EMPTY_LEDGER: Ledger = {
  version: 1,
  userMessages: [],
  rules: [],
  responses: [],
  decisions: [],
  files: [],
  commands: [],
  errors: [],
  plans: [],
  values: [],
  identifiers: [],
  statements: [],
};
