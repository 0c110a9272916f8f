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
  }),
);

/** What a user settled by answering: their words, and what they answered. Found by where it stands, never by its wording. */
export const decisionSchema = z.readonly(
  z.object({
    kind: z.literal("decision"),
    /** The user's words. */
    text: z.string(),
    /** Where they chose by number or letter, what that stands for: `2: a table of its own`. */
    chosen: z.optional(z.string()),
    /** The question or proposal that was answered, in the assistant's words. */
    question: z.string(),
    source: sourceSchema,
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
    /** Lines that edits added and took away, `+ ` or `- ` before each, the newest last. */
    lines: z.readonly(z.array(z.string())),
    /** Number of edits. */
    edits: z.number(),
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
    /** Of the runs, those that failed; absent for none. */
    failures: z.optional(z.number()),
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
    /** What was done about it and did not help, the newest last. */
    tried: z.optional(z.readonly(z.array(z.string()))),
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
    /** The tool that keeps it, or `check list` for one that the assistant wrote out. */
    from: z.string(),
    items: z.readonly(
      z.array(
        z.object({
          text: z.string(),
          /** `dropped`: taken off a list that an earlier round knows; told nowhere. */
          status: z.enum(["done", "in_progress", "not_started", "dropped"]),
          /** The list's own word for it, where it is none of these: `blocked`. */
          state: z.optional(z.string()),
          /** What shows it. */
          evidence: z.optional(sourceSchema),
        }),
      ),
    ),
    source: sourceSchema,
  }),
);

/** A call of a tool that is no shell and touches no file, with what it answered: a booking, a search, a report of another agent. */
export const callSchema = z.readonly(
  z.object({
    kind: z.literal("call"),
    /** Name and arguments, in one line. */
    text: z.string(),
    /** Beginning and end of the answer; "" for none. */
    answer: z.string(),
    isError: z.boolean(),
    source: sourceSchema,
  }),
);

/** Something that was shown, in a line that says what it is and how it is called; or that the model declined. */
export const attachmentSchema = z.readonly(
  z.object({
    kind: z.literal("attachment"),
    text: z.string(),
    /** One that nothing tells apart from others of a tool's is counted with them. */
    times: z.number(),
    isNamed: z.boolean(),
    source: sourceSchema,
  }),
);

/** A name that cannot be said in other words: a path, a version, a ticket. Counted where people and the assistant say it. */
export const identifierSchema = z.readonly(
  z.object({
    kind: z.literal("identifier"),
    value: z.string(),
    /** Number of messages that say it, over all rounds. */
    mentions: z.number(),
    /** Where it was said last. */
    source: sourceSchema,
  }),
);

/** What the assistant said in a message, or thought before it acted. */
export const statementSchema = z.readonly(
  z.object({
    kind: z.literal("statement"),
    text: z.string(),
    isThought: z.optional(z.literal(true)),
    /** A call follows at once: its last words mostly announce it. */
    isBeforeCall: z.optional(z.literal(true)),
    /** Something failed since the assistant spoke last: mostly it says why. */
    isAfterFailure: z.optional(z.literal(true)),
    /** A file is changed before the assistant speaks again: mostly it says what for. */
    isBeforeChange: z.optional(z.literal(true)),
    source: sourceSchema,
  }),
);

export const ledgerSchema = z.readonly(
  z.object({
    version: z.literal(2),
    userMessages: z.readonly(z.array(userMessageSchema)),
    rules: z.readonly(z.array(ruleSchema)),
    decisions: z.readonly(z.array(decisionSchema)),
    files: z.readonly(z.array(fileSchema)),
    commands: z.readonly(z.array(commandSchema)),
    errors: z.readonly(z.array(errorSchema)),
    plans: z.readonly(z.array(planSchema)),
    calls: z.readonly(z.array(callSchema)),
    // A ledger that was stored before there were any has none.
    attachments: z._default(z.readonly(z.array(attachmentSchema)), []),
    identifiers: z.readonly(z.array(identifierSchema)),
    statements: z.readonly(z.array(statementSchema)),
  }),
);

export type UserMessageFact = z.infer<typeof userMessageSchema>;
export type RuleFact = z.infer<typeof ruleSchema>;
export type DecisionFact = z.infer<typeof decisionSchema>;
export type FileFact = z.infer<typeof fileSchema>;
export type CommandFact = z.infer<typeof commandSchema>;
export type ErrorFact = z.infer<typeof errorSchema>;
export type PlanFact = z.infer<typeof planSchema>;
export type CallFact = z.infer<typeof callSchema>;
export type AttachmentFact = z.infer<typeof attachmentSchema>;
export type IdentifierFact = z.infer<typeof identifierSchema>;
export type StatementFact = z.infer<typeof statementSchema>;
export type Ledger = z.infer<typeof ledgerSchema>;

/** One fact a key, each where it was seen last; `join` says what of the earlier one it keeps. */
export function newestByKey<Fact>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => string,
  join: (earlier: Fact, later: Fact) => Fact = (_, later) => later,
): readonly Fact[] {
  const newest = new Map<string, Fact>();
  for (const fact of facts) {
    const key = keyOf(fact);
    const known = newest.get(key);
    newest.delete(key);
    newest.set(key, known === undefined ? fact : join(known, fact));
  }
  return [...newest.values()];
}

/** Facts by kind, as reports show them; kinds without any are left out. */
export function countFacts({ version: _, ...kinds }: Ledger): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of Object.values(kinds).flat()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export const EMPTY_LEDGER: Ledger = {
  version: 2,
  userMessages: [],
  rules: [],
  decisions: [],
  files: [],
  commands: [],
  errors: [],
  plans: [],
  calls: [],
  attachments: [],
  identifiers: [],
  statements: [],
};
