// Decisions that hold certain words: whole, or at the level that standing and age give them; either way each says which
// level that is.
import { LEVELS, type Level } from "../decision.ts";
import type { DecisionLog } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { SERVED_LEVELS } from "./get-compacted.ts";
import { named, type PageRequest, readFilter, readLevel, readLimit, readWords } from "./read-request.ts";
import { servePage } from "./serve-page.ts";
import type { ServedDecision, ServedDecisions } from "./served.ts";

export interface DecisionQuery extends PageRequest {
  /** Words that all must occur in text, context, pattern, lessons, result, reasons or tags. Absent: every decision. */
  readonly query?: string | null | undefined;
  /** Exactly as recorded: `pending`, `reviewed`, ... */
  readonly status?: string | null | undefined;
  /** True: each at its level, those of wisdom's age counted but left out. Default false: each in full, whatever its age. */
  readonly compacted?: boolean | undefined;
}

export interface QueriedDecision extends ServedDecision {
  /** By standing and age; `level` is how it is served here. */
  readonly compactionLevel: Level;
}

export interface QueriedDecisions extends Omit<ServedDecisions, "decisions"> {
  readonly decisions: readonly QueriedDecision[];
}

/**
 * Latest decided first, equals by id; superseded ones are flagged where they stand.
 * @throws InvalidInput (`UNKNOWN_LEVEL`, `INVALID_LIMIT`, `INVALID_CURSOR`, `QUERY_TOO_LONG`); NotFound where there is no
 * log; StoreFailed.
 */
export async function queryDecisions(
  log: DecisionLog,
  request: DecisionQuery,
  options: DecisionOptions,
): Promise<QueriedDecisions> {
  const level = readLevel(request.level);
  const [status, words] = [named(request.status), readWords(request.query)];
  const all = request.compacted === true ? SERVED_LEVELS : LEVELS;
  const { served, rest } = await servePage(
    log,
    {
      filter: {
        ...readFilter(request),
        ...(status === undefined ? {} : { status }),
        ...(words.length === 0 ? {} : { words }),
      },
      levels: level === undefined ? all : [level],
      isOneLevel: level !== undefined,
      isWhole: request.compacted !== true,
      limit: readLimit(request.limit),
      cursor: request.cursor,
    },
    options,
  );
  return { decisions: served.map(({ item, due }) => ({ ...item, compactionLevel: due })), ...rest };
}
