// Records a decision that is made now: pending until somebody reviews what came of it.
import { CompactError } from "../../errors.ts";
import { isoTime } from "../../time.ts";
import type { Level, RawDecision } from "../decision.ts";
import type { DecisionLog, DecisionReader } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { levelOf } from "../levels/level.ts";
import { findId } from "../serving/find-id.ts";
import { randomId } from "./random-id.ts";
import { type RecordRequest, readRequest, recordSchema, toRecord } from "./record-request.ts";

export type { RecordRequest } from "./record-request.ts";

export interface RecordAnswer {
  readonly id: string;
  readonly status: "pending";
  /** ISO 8601 with `Z`. */
  readonly date: string;
  readonly compactionLevel: Level;
  /** Whole ids of the decisions that are superseded from now on; absent when there are none. */
  readonly supersedes?: readonly string[];
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
    const superseded: string[] = [];
    for (const given of checked.supersedes ?? []) superseded.push(await findId(writer, given));
    const supersedes = [...new Set(superseded)];
    const named = supersedes.length === 0 ? {} : { supersedes };
    const { supersedes: _, ...rest } = checked;
    const stored = await writer.add(toRecord({ ...rest, ...named }, id, date));
    const compactionLevel = levelOf(options.policies, stored, options.now);
    return { id, status: "pending", date, compactionLevel, ...named, record: stored.raw };
  });
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
