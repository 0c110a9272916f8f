// Notes what came of a decision, or that it is preserved. Once reviewed, its age decides about its level; calibration and
// wisdom count it.
import * as z from "zod";
import { CompactError } from "../errors.ts";
import { isoTime } from "../time.ts";
import {
  type Level,
  OUTCOMES,
  type Outcome,
  type RawDecision,
  REVIEW_KEYS,
  REVIEWED,
  type StoredDecision,
} from "./decision.ts";
import type { DecisionLog, DecisionOptions } from "./decision-log.ts";
import { levelOf } from "./levels.ts";
import { offered, readRequest } from "./record-decision.ts";
import { isSilent } from "./record-values.ts";
import { findDecision } from "./serving/get-decision.ts";
import { type NearWording, nearWordings } from "./wisdom/merge-wordings.ts";

const optionalText = z.string().trim().optional();

const reviewSchema = z.strictObject({
  /** Whole, or a beginning of at least 4 characters that no other id has. */
  id: z.string(),
  outcome: z.string().trim().toLowerCase().pipe(z.enum(OUTCOMES)),
  actualResult: optionalText,
  lessons: optionalText,
  /** The rule it followed, where it is to be worded otherwise than it was recorded. */
  pattern: optionalText,
  notes: optionalText,
  /** Figures that it moved, as they are to be kept. */
  affectedKpis: z.json().optional(),
  /** Who reviews it. */
  agent: optionalText,
});

export type ReviewRequest = z.input<typeof reviewSchema>;

interface ReviewAnswer {
  /** The whole id. */
  readonly id: string;
  readonly status: typeof REVIEWED;
  readonly outcome: Outcome;
  /** ISO 8601 with `Z`. */
  readonly reviewedAt: string;
  /** Now that it is reviewed. */
  readonly compactionLevel: Level;
  /** What this review took the place of, as the record had it: an earlier review, another pattern. Absent without any. */
  readonly replaced?: RawDecision;
  /** How the log words what may be the same as its lessons or pattern; absent when there is nothing of the kind. */
  readonly nearWordings?: readonly NearWording[];
}

/**
 * A decision may be reviewed again: the new review takes the place of the old one as a whole, which the answer gives back.
 * @throws InvalidInput (`INVALID_DECISION`) for an unknown outcome; NotFound (`UNKNOWN_DECISION`); InvalidInput
 * (`INVALID_ID`, `AMBIGUOUS_ID`); Conflict (`SUPERSEDED`); StoreFailed.
 */
export async function reviewDecision(
  log: DecisionLog,
  request: ReviewRequest,
  options: DecisionOptions,
): Promise<ReviewAnswer> {
  const { outcome, actualResult, lessons, pattern, notes, affectedKpis, agent, ...given } = readRequest(
    reviewSchema,
    request,
    "review",
  );
  return log.write(async (writer) => {
    const before = await findDecision(writer, given.id);
    const near = [...(await nearWordings(writer, lessons)), ...(await nearWordings(writer, pattern))];
    const reviewedAt = isoTime(options.now);
    const stored = await writer.change(before.id, {
      status: REVIEWED,
      outcome,
      reviewed_at: reviewedAt,
      ...replacing(before.raw, {
        actual_result: actualResult,
        lessons,
        review_notes: notes,
        affected_kpis: affectedKpis,
        reviewed_by: agent,
      }),
      ...keptSupersession(before),
      ...(pattern === undefined || pattern === "" ? {} : { pattern }),
    });
    const replaced = replacedOf(before, stored);
    return {
      id: stored.id,
      status: REVIEWED,
      outcome,
      reviewedAt,
      compactionLevel: levelOf(options.policies, stored, options.now),
      ...(replaced === undefined ? {} : { replaced }),
      ...offered(near),
    };
  });
}

/** What the new review does not say, the record must not go on saying. */
function replacing(raw: RawDecision, fields: RawDecision): RawDecision {
  const said = Object.entries(fields).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (value !== undefined && value !== "") return [[key, value]];
    return isSilent(raw[key]) ? [] : [[key, null]];
  });
  return Object.fromEntries(said);
}

/**
 * Some records say by their status alone that they are superseded. The review takes that status, so what took their place is
 * written where it stays.
 */
function keptSupersession({ raw, supersededBy, id }: StoredDecision): RawDecision {
  const isByStatus = typeof raw.status === "string" && /^\s{0,20}superseded\b/i.test(raw.status);
  if (!isByStatus) return {};
  if (supersededBy !== undefined && supersededBy !== "") {
    return isSilent(raw.superseded_by) ? { superseded_by: supersededBy } : {};
  }
  throw new CompactError("Conflict", `Decision ${id} is superseded, and nothing says by which.`, {
    code: "SUPERSEDED",
    hint: "Record the decision that took its place with supersedes, then review this one.",
    data: { id },
  });
}

/** Also what a record of another status says of its outcome: the new review takes the place of that, too. */
function replacedOf({ raw, status, pattern }: StoredDecision, now: StoredDecision): RawDecision | undefined {
  const had = REVIEW_KEYS.flatMap((key) => (isSilent(raw[key]) ? [] : [[key, raw[key]]]));
  if (pattern !== undefined && pattern !== now.pattern) had.push(["pattern", raw.pattern]);
  return had.length === 0 && status !== REVIEWED ? undefined : Object.fromEntries(had);
}

/** Of a first review that words the pattern otherwise. */
export function isPatternAlone(replaced: RawDecision): boolean {
  return Object.keys(replaced).join() === "pattern";
}

// Marks a decision as never to be compacted, or takes the mark away. Takes effect at once, at any age.

export interface PreserveRequest {
  /** Whole, or a beginning of at least 4 characters that no other id has. */
  readonly id: string;
  readonly preserve: boolean;
}

interface PreserveAnswer {
  readonly success: boolean;
  /** The whole id; as it was given where no decision has it. */
  readonly decisionId: string;
  readonly preserve: boolean;
  /** Why it was no success. */
  readonly error?: string;
}

/**
 * An unknown id is an answer, not an error. A record that is marked so already is left as it is.
 * @throws InvalidInput (`INVALID_PRESERVE`) for anything but true and false; InvalidInput (`INVALID_ID`, `AMBIGUOUS_ID`);
 * StoreFailed.
 */
export async function setPreserve(
  log: DecisionLog,
  { id, preserve }: PreserveRequest,
  _options: DecisionOptions,
): Promise<PreserveAnswer> {
  if (typeof preserve !== "boolean") {
    throw new CompactError("InvalidInput", "preserve is neither true nor false.", {
      code: "INVALID_PRESERVE",
      hint: "Send true or false, not as text.",
    });
  }
  try {
    return await log.write(async (writer) => {
      const decision = await findDecision(writer, id);
      const isSo = (decision.raw.preserve ?? false) === preserve;
      if (!isSo) await writer.change(decision.id, { preserve });
      return { success: true, decisionId: decision.id, preserve };
    });
  } catch (error) {
    if (!CompactError.isInstance(error) || error.code !== "UNKNOWN_DECISION") throw error;
    return { success: false, decisionId: id, preserve, error: error.message };
  }
}
