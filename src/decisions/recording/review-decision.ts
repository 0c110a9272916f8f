// Notes what came of a decision. From then on its age decides about its level; calibration and wisdom count it.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { isoTime } from "../../time.ts";
import { type Level, OUTCOMES, type Outcome, type RawDecision, REVIEWED, type StoredDecision } from "../decision.ts";
import type { DecisionLog } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { levelOf } from "../levels/level.ts";
import { findDecision } from "../serving/find-id.ts";
import { readRequest } from "./record-request.ts";

const text = z.string().trim().optional();

export const reviewSchema = z.strictObject({
  /** Whole, or a beginning of at least 4 characters that no other id has. */
  id: z.string(),
  outcome: z.string().trim().toLowerCase().pipe(z.enum(OUTCOMES)),
  actualResult: text,
  lessons: text,
  notes: text,
  /** Figures that it moved, as they are to be kept. */
  affectedKpis: z.json().optional(),
  /** Who reviews it. */
  agent: text,
});

export type ReviewRequest = z.input<typeof reviewSchema>;

export interface ReviewAnswer {
  /** The whole id. */
  readonly id: string;
  readonly status: typeof REVIEWED;
  readonly outcome: Outcome;
  /** ISO 8601 with `Z`. */
  readonly reviewedAt: string;
  /** Now that it is reviewed. */
  readonly compactionLevel: Level;
  /** The review that this one took the place of, as the record had it; absent for a first one. */
  readonly replaced?: RawDecision;
}

const REVIEW_KEYS = [
  "outcome",
  "reviewed_at",
  "actual_result",
  "lessons",
  "review_notes",
  "affected_kpis",
  "reviewed_by",
] as const;

/**
 * A decision may be reviewed again: the new review takes the place of the old one as a whole, which the answer gives back.
 * @throws InvalidInput (`INVALID_DECISION`) for an outcome that is none; NotFound (`UNKNOWN_DECISION`); InvalidInput
 * (`INVALID_ID`, `AMBIGUOUS_ID`); Conflict (`SUPERSEDED`); StoreFailed.
 */
export async function reviewDecision(
  log: DecisionLog,
  request: ReviewRequest,
  options: DecisionOptions,
): Promise<ReviewAnswer> {
  const { outcome, actualResult, lessons, notes, affectedKpis, agent, ...given } = readRequest(
    reviewSchema,
    request,
    "review",
  );
  return log.write(async (writer) => {
    const before = await findDecision(writer, given.id);
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
    });
    const replaced = reviewOf(before);
    return {
      id: stored.id,
      status: REVIEWED,
      outcome,
      reviewedAt,
      compactionLevel: levelOf(options.policies, stored, options.now),
      ...(replaced === undefined ? {} : { replaced }),
    };
  });
}

/** What the new review does not say, the record must not go on saying. */
function replacing(raw: RawDecision, fields: RawDecision): RawDecision {
  const said = Object.entries(fields).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (value !== undefined && value !== "") return [[key, value]];
    return raw[key] === undefined || raw[key] === null ? [] : [[key, null]];
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
    return raw.superseded_by === undefined || raw.superseded_by === null ? { superseded_by: supersededBy } : {};
  }
  throw new CompactError("Conflict", `Decision ${id} is superseded, and nothing says by which.`, {
    code: "SUPERSEDED",
    hint: "Record the decision that took its place with supersedes, then review this one.",
    data: { id },
  });
}

/** Also what a record of another status says of its outcome: the new review takes the place of that, too. */
function reviewOf({ raw, status }: StoredDecision): RawDecision | undefined {
  const had = REVIEW_KEYS.flatMap((key) => (raw[key] === undefined || raw[key] === null ? [] : [[key, raw[key]]]));
  return had.length === 0 && status !== REVIEWED ? undefined : Object.fromEntries(had);
}
