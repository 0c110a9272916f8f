// Records a decision that is made now: pending until somebody reviews what came of it.
import * as z from "zod";
import { CompactError } from "../errors.ts";
import { isoTime } from "../time.ts";
import type { Level, RawDecision } from "./decision.ts";
import type { DecisionLog, DecisionOptions, DecisionReader } from "./decision-log.ts";
import { levelOf } from "./levels.ts";
import { randomId } from "./record-values.ts";
import { findId } from "./serving/get-decision.ts";
import { type NearWording, nearWordings } from "./wisdom/merge-wordings.ts";

interface RecordAnswer {
  readonly id: string;
  readonly status: "pending";
  /** ISO 8601 with `Z`. */
  readonly date: string;
  readonly compactionLevel: Level;
  /** Whole ids of the decisions that are superseded from now on; absent when there are none. */
  readonly supersedes?: readonly string[];
  /** How the log words what may be the same principle as its pattern; absent when there is nothing of the kind. */
  readonly nearWordings?: readonly NearWording[];
  /** As it is stored. */
  readonly record: RawDecision;
}

/**
 * `supersedes` takes whole ids and beginnings of at least 4 characters; the decisions must be there, and their records stay
 * as they are.
 * @throws InvalidInput (`INVALID_DECISION`) that names the field; NotFound (`UNKNOWN_DECISION`) or InvalidInput
 * (`AMBIGUOUS_ID`) for what it supersedes; Conflict (`DECISION_EXISTS`) for an id that is there; StoreFailed.
 */
export async function recordDecision(
  log: DecisionLog,
  request: RecordRequest,
  options: DecisionOptions,
): Promise<RecordAnswer> {
  const checked = readRequest(recordSchema, request, "decision");
  return log.write(async (writer) => {
    const date = isoTime(options.now);
    const id = checked.id ?? (await freeId(writer));
    const { supersedes: given = [], ...rest } = checked;
    const supersedes = new Set<string>();
    for (const other of given) supersedes.add(await findId(writer, other));
    const named = supersedes.size === 0 ? {} : { supersedes: [...supersedes] };
    const near = await nearWordings(writer, checked.pattern);
    const stored = await writer.add(toRecord({ ...rest, ...named }, id, date));
    const compactionLevel = levelOf(options.policies, stored, options.now);
    return { id, status: "pending", date, compactionLevel, ...named, ...offered(near), record: stored.raw };
  });
}

export function offered(near: readonly NearWording[]): { readonly nearWordings?: readonly NearWording[] } {
  return near.length === 0 ? {} : { nearWordings: near };
}

/** Of four billion ids, the third in a row that is taken means something else is wrong. */
async function freeId(log: DecisionReader): Promise<string> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const id = randomId();
    if ((await log.decisions([id])).length === 0) return id;
  }
  throw new CompactError("StoreFailed", "No id that is free was found for the decision.", {
    code: "NO_FREE_ID",
    hint: "Try again, or give an id.",
  });
}

// What somebody who records a decision may say, checked, and the keys under which a record has it. Absent is absent: no
// confidence and no strength is made up, and 0 stays 0.

const text = z.string().trim().min(1, "must not be empty");
const texts = z.array(text);
const share = z.number().min(0).max(1);
const STAKES = ["low", "medium", "high", "critical"] as const;

/** Letters, digits, dots, dashes and underscores: what a file may be named in every file system. */
const idSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, "must be up to 100 letters, digits, dots, dashes and underscores");

const reasonSchema = z.union([
  text.transform((said) => ({ type: "analysis", text: said })),
  z.strictObject({
    type: text.default("analysis"),
    text,
    strength: share.optional(),
    confidence: share.optional(),
  }),
]);

const bridgeSchema = z.strictObject({
  structure: text.optional(),
  function: text.optional(),
  tolerance: texts.optional(),
  enforcement: texts.optional(),
  prevention: texts.optional(),
});

const relatedSchema = z.union([
  text.transform((id) => ({ id })),
  z.strictObject({
    id: text,
    summary: z.string().optional(),
    distance: z.number().optional(),
    /** `supersedes`, `superseded_by`, ...; absent: a mere likeness. */
    type: text.optional(),
  }),
]);

const recordSchema = z.strictObject({
  /** Default: 8 hex digits. */
  id: idSchema.optional(),
  /** What was decided. */
  decision: text,
  /** The same in short. Default: as `decision`. */
  summary: text.optional(),
  category: text,
  /** 0 to 1. */
  confidence: share.optional(),
  stakes: z.enum(STAKES).optional(),
  context: text.optional(),
  reasons: z.array(reasonSchema).optional(),
  tags: texts.optional(),
  /** The rule it follows, in a few words. */
  pattern: text.optional(),
  bridge: bridgeSchema.optional(),
  deliberation: z.record(z.string(), z.json()).optional(),
  trace: z.array(z.json()).optional(),
  relatedTo: z.array(relatedSchema).optional(),
  /** Ids of decisions whose place it takes, or one. */
  supersedes: z.union([text.transform((id) => [id]), texts]).optional(),
  preserve: z.boolean().optional(),
  project: text.optional(),
  feature: text.optional(),
  pr: z.union([text, z.number()]).optional(),
  file: text.optional(),
  line: z.int().optional(),
  commit: text.optional(),
  preDecision: z.json().optional(),
  kpiIndicators: texts.optional(),
  mentalState: text.optional(),
  reviewBy: text.optional(),
  /** Who records it. */
  agent: text.optional(),
});

export type RecordRequest = z.input<typeof recordSchema>;
type CheckedRecord = z.output<typeof recordSchema>;

/** In the order in which a record has them, in the case of files. */
const KEYS =
  `confidence stakes context reasons trace deliberation bridge relatedTo supersedes preDecision kpiIndicators mentalState
  reviewBy tags pattern agent project feature pr file line commit preserve`.split(
    /\s+/u,
  ) as readonly (keyof CheckedRecord)[];

function nameOf(key: string): string {
  return key === "agent" ? "recorded_by" : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The record of a decision that is made now. */
function toRecord(checked: CheckedRecord, id: string, date: string): RawDecision {
  const { decision, summary = decision, category } = checked;
  const given = KEYS.flatMap((key) => (checked[key] === undefined ? [] : [[nameOf(key), checked[key]] as const]));
  return { id, summary, decision, category, status: "pending", date, ...Object.fromEntries(given) };
}

/** @throws InvalidInput (`INVALID_DECISION`) that names the field, never its content. */
export function readRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
  what: string,
): z.output<Schema> {
  const read = schema.safeParse(request);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const keys = issue?.code === "unrecognized_keys" ? `${issue.keys.map((key) => key.slice(0, 40)).join(", ")}: ` : "";
  const field = issue?.path.join(".") ?? "";
  const why = `${field === "" ? "" : `${field}: `}${keys}${issue?.message ?? "not readable"}`;
  throw new CompactError("InvalidInput", `The ${what} was not stored. ${why}.`, {
    code: "INVALID_DECISION",
    hint: "Correct the field and send it again.",
    data: { field },
  });
}
