// The ledger: hard facts of a conversation, found by code, each with the message it came from, carried from
// round to round. Plain serialisable data, so its types are read off the schemas that check it when it is read
// back. How facts are found, merged and worded lives beside it.
import * as z from "zod";

/** Where a fact was seen: compaction step (the archive's transcript number) and 1-based message number in it. */
const sourceSchema = z.object({ step: z.number(), message: z.number() }).readonly();
export type Source = z.infer<typeof sourceSchema>;

/** How a source is cited in a summary, and what `archive expand` takes: `1.12`. */
export function cite(source: Source): string {
  return `${source.step}.${source.message}`;
}

/** What a later fact replaced; shown as such or not at all, never as current. */
const replaced = { supersededBy: sourceSchema.optional() };

export const userMessageSchema = z
  .object({
    kind: z.literal("user_message"),
    /** The message's text blocks; one for a plain message. */
    blocks: z.array(z.string()).readonly(),
    /** `host` for texts in a user message that no person wrote (a host's own earlier summary). */
    author: z.enum(["user", "host"]),
    source: sourceSchema,
  })
  .readonly();

/** What a user demanded or forbade for good. Only from user, system and developer messages. */
export const ruleSchema = z
  .object({
    kind: z.literal("rule"),
    /** The sentence, as it was said. */
    text: z.string(),
    polarity: z.enum(["must", "must_not"]),
    source: sourceSchema,
    ...replaced,
  })
  .readonly();

/** How a user answered what was proposed or done. */
export const responseSchema = z
  .object({
    kind: z.literal("response"),
    form: z.enum(["approval", "refusal", "correction"]),
    text: z.string(),
    /** The assistant message that was answered. */
    about: sourceSchema.optional(),
    source: sourceSchema,
  })
  .readonly();

/** A choice that was made, by whom, and why. Never from a tool's text. */
export const decisionSchema = z
  .object({
    kind: z.literal("decision"),
    text: z.string(),
    by: z.enum(["user", "assistant"]),
    rationale: z.string().optional(),
    alternatives: z.array(z.string()).readonly(),
    /** What was looked at before (files, commands) and what came of it, briefly. */
    inputs: z.array(z.string()).readonly(),
    outputs: z.array(z.string()).readonly(),
    source: sourceSchema,
    ...replaced,
  })
  .readonly();

export const fileSchema = z
  .object({
    kind: z.literal("file"),
    path: z.string(),
    /** The strongest thing done to it: written stays written when it is read again; moved and deleted are final until it is written. */
    operation: z.enum(["read", "written", "moved", "deleted"]),
    /** New path of a moved file. */
    to: z.string().optional(),
    /** Functions, classes, tables touched, from the edits themselves. */
    symbols: z.array(z.string()).readonly(),
    /** Number of edits. */
    edits: z.number(),
    /** Why, in the assistant's words just before the edit, one short sentence. */
    reason: z.string().optional(),
    source: sourceSchema,
  })
  .readonly();

/** A command that was run, its newest outcome. */
export const commandSchema = z
  .object({
    kind: z.literal("command"),
    command: z.string(),
    outcome: z.enum(["ok", "failed", "unknown"]),
    /** The line of the output that says most: a test count, an error, an exit code. */
    detail: z.string().optional(),
    runs: z.number(),
    source: sourceSchema,
  })
  .readonly();

export const errorSchema = z
  .object({
    kind: z.literal("error"),
    /** The line that names it. */
    text: z.string(),
    /** The command or tool that failed; its success later settles the error. */
    from: z.string(),
    status: z.enum(["open", "fixed"]),
    /** What was done between the last failure and the success, briefly. */
    fix: z.string().optional(),
    fixedAt: sourceSchema.optional(),
    source: sourceSchema,
  })
  .readonly();

/** The latest state of a plan or to-do list, item by item. */
export const planSchema = z
  .object({
    kind: z.literal("plan"),
    /** The tool that keeps it, or `announced` for steps the assistant named in its text. */
    from: z.string(),
    items: z
      .array(
        z.object({
          text: z.string(),
          status: z.enum(["done", "in_progress", "not_started"]),
          /** What shows it. */
          evidence: sourceSchema.optional(),
        }),
      )
      .readonly(),
    source: sourceSchema,
  })
  .readonly();

/** A value with its key: `maxRetry=17`, "the port is 8443". */
export const valueSchema = z
  .object({
    kind: z.literal("value"),
    /** As it was written; compared without case and punctuation. */
    key: z.string(),
    value: z.string(),
    /** The sentence or line that says it. */
    text: z.string(),
    by: z.enum(["user", "assistant", "tool"]),
    source: sourceSchema,
    ...replaced,
  })
  .readonly();

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

export const identifierSchema = z
  .object({
    kind: z.literal("identifier"),
    form: z.enum(IDENTIFIER_FORMS),
    value: z.string(),
    /** Number of messages that name it, over all rounds. */
    mentions: z.number(),
    /** The words around it where it was first named by a person or the assistant, one short line. */
    context: z.string().optional(),
    /** Where it was seen last. */
    source: sourceSchema,
  })
  .readonly();

/** What the assistant reported when it ended a step: the opening of a message without tool calls. Where none followed, its last words. */
export const statementSchema = z
  .object({
    kind: z.literal("statement"),
    text: z.string(),
    /** Said on the way to an answer that had not come yet: the step that was under way. */
    isStep: z.literal(true).optional(),
    /** Set when the words hedge: with the later output that names what they are about, where there is any. */
    guess: z
      .object({ evidence: z.object({ name: z.string(), source: sourceSchema }).readonly().optional() })
      .readonly()
      .optional(),
    source: sourceSchema,
  })
  .readonly();

export const ledgerSchema = z
  .object({
    version: z.literal(1),
    userMessages: z.array(userMessageSchema).readonly(),
    rules: z.array(ruleSchema).readonly(),
    responses: z.array(responseSchema).readonly(),
    decisions: z.array(decisionSchema).readonly(),
    files: z.array(fileSchema).readonly(),
    commands: z.array(commandSchema).readonly(),
    errors: z.array(errorSchema).readonly(),
    plans: z.array(planSchema).readonly(),
    values: z.array(valueSchema).readonly(),
    identifiers: z.array(identifierSchema).readonly(),
    statements: z.array(statementSchema).readonly(),
  })
  .readonly();

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
