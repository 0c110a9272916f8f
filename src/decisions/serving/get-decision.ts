// One decision: found by its id or the beginning of it, as it was recorded, with what decides about its level.
import { CompactError } from "../../errors.ts";
import { DAY_MS } from "../../time.ts";
import { type Level, type RawDecision, REVIEWED, type RecordFault, type StoredDecision } from "../decision.ts";
import type { DecisionLog, DecisionOptions, DecisionReader } from "../decision-log.ts";
import { agedFrom, isPreservedUnder, levelUnder, policyFor } from "../levels.ts";

/** Why a decision has its level. */
interface DecisionStanding {
  /** As recorded. */
  readonly status: string;
  readonly reviewed: boolean;
  /** By its mark or by its policy. */
  readonly preserved: boolean;
  readonly superseded: boolean;
  /** Where the log knows what took its place. */
  readonly supersededBy?: string;
  /** Whole days by the policy's age basis; below 0 in the future, absent without a readable time. */
  readonly ageDays?: number;
}

export interface DecisionAnswer {
  /** The whole id. */
  readonly id: string;
  /** The record, every key as it was written. */
  readonly decision: RawDecision;
  readonly compactionLevel: Level;
  readonly standing: DecisionStanding;
  /** Name of the policy that governs it. */
  readonly policy: string;
}

/**
 * `id` is whole, or a beginning of at least 4 characters that no other id has.
 * @throws NotFound (`UNKNOWN_DECISION`); InvalidInput (`AMBIGUOUS_ID`) that names candidates; StoreFailed.
 */
export function getDecision(log: DecisionLog, id: string, options: DecisionOptions): Promise<DecisionAnswer> {
  return log.read(async (reader) => {
    const decision = await findDecision(reader, id);
    const { status, supersededBy } = decision;
    const policy = policyFor(options.policies, decision);
    const at = agedFrom(policy, decision);
    return {
      id: decision.id,
      decision: decision.raw,
      compactionLevel: levelUnder(policy, decision, options.now),
      standing: {
        status,
        reviewed: status === REVIEWED,
        preserved: isPreservedUnder(policy, decision),
        superseded: supersededBy !== undefined,
        ...(supersededBy === undefined || supersededBy === "" ? {} : { supersededBy }),
        ...(at === undefined ? {} : { ageDays: Math.floor((options.now - at) / DAY_MS) }),
      },
      policy: policy.name,
    };
  });
}

// Which decision somebody means: by its id, or by a beginning of it that no other id has.

/** Code points of a beginning that stands for an id. */
const SHORTEST_PREFIX = 4;

/** Faults among which a record is looked for that was not found. */
const LOOKED_AT = 10_000;

/** Ids that an error names. */
const NAMED = 5;

/**
 * The whole id.
 * @throws InvalidInput for what is blank, or begins several ids, or is a beginning of fewer than 4 characters; NotFound.
 */
export async function findId(log: Pick<DecisionReader, "idsLike" | "faults">, given: unknown): Promise<string> {
  const id = typeof given === "string" ? given.trim() : "";
  if (id === "") {
    throw new CompactError("InvalidInput", "The id of a decision is missing.", {
      code: "INVALID_ID",
      hint: `Give the id of a decision, or at least ${SHORTEST_PREFIX} characters of its beginning, as text.`,
    });
  }
  const candidates = await log.idsLike(id, NAMED + 1);
  const [first] = candidates;
  if (first === undefined) throw unknown(id, await recordFault(log, id));
  if (candidates.includes(id)) return id;
  if (candidates.length === 1 && [...id].length >= SHORTEST_PREFIX) return first;
  throw ambiguous(id, candidates);
}

/** The decision that an id or its beginning stands for. @throws as `findId`. */
export async function findDecision(
  log: Pick<DecisionReader, "idsLike" | "decisions" | "faults">,
  given: unknown,
): Promise<StoredDecision> {
  const id = await findId(log, given);
  const [decision] = await log.decisions([id]);
  if (decision === undefined) throw unknown(id, await recordFault(log, id));
  return decision;
}

/** A record that is there and cannot be read is not found either, which is no use to somebody who sees its file. */
async function recordFault(log: Pick<DecisionReader, "faults">, id: string): Promise<RecordFault | undefined> {
  if ([...id].length < SHORTEST_PREFIX) return undefined;
  const { faults } = await log.faults(LOOKED_AT);
  const unread = faults.filter(({ code }) => code === "UNREADABLE_RECORD");
  // A fault knows it by its id or by its file: a path, a name, what follows `decision-`.
  const mayBe = (fault: RecordFault) => `/${fault.id}`.includes(`/${id}`) || fault.id.includes(`decision-${id}`);
  return unread.find((fault) => fault.id === id) ?? unread.find(mayBe);
}

function unknown(id: string, fault: RecordFault | undefined): CompactError {
  const why = fault === undefined ? "" : `. A record that may be it cannot be read: ${fault.id}. ${fault.message}`;
  return new CompactError("NotFound", `Decision not found: ${id}${why}`, {
    code: "UNKNOWN_DECISION",
    hint:
      fault === undefined
        ? "List the decisions to see their ids."
        : "Put the record right; nothing is changed in one that cannot be read.",
    data: fault === undefined ? { id } : { id, unreadable: fault.id },
  });
}

function ambiguous(id: string, candidates: readonly string[]): CompactError {
  const named = candidates.slice(0, NAMED);
  const more = candidates.length > NAMED ? ", ..." : "";
  const message =
    candidates.length === 1
      ? `"${id}" is too short for the beginning of an id; the only one it begins is ${named[0]}.`
      : `"${id}" begins several ids: ${named.join(", ")}${more}`;
  return new CompactError("InvalidInput", message, {
    code: "AMBIGUOUS_ID",
    hint: "Give the whole id.",
    data: { id, candidates: named },
  });
}
