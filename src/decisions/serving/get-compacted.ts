// Decisions at the level that standing and age give them: recent and standing ones whole, older ones shorter, those of
// wisdom's age counted. Never waits for a model.
import { LEVELS, type Level } from "../decision.ts";
import type { DecisionLog } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { type PageRequest, readFilter, readLevel, readLimit } from "./read-request.ts";
import { servePage } from "./serve-page.ts";
import type { ServedDecisions } from "./served.ts";

export interface CompactedRequest extends PageRequest {
  /** False leaves out what is preserved, by its mark or by its policy. Default true. */
  readonly includePreserved?: boolean | undefined;
}

/** What is served unless somebody asks for wisdom itself. */
export const SERVED_LEVELS: readonly Level[] = LEVELS.filter((level) => level !== "wisdom");

/**
 * Latest decided first, equals by id. Without `level`, decisions of wisdom's age are counted in `levels` and left out.
 * @throws InvalidInput (`UNKNOWN_LEVEL`, `INVALID_LIMIT`, `INVALID_CURSOR`); NotFound where there is no log; StoreFailed.
 */
export async function getCompacted(
  log: DecisionLog,
  request: CompactedRequest,
  options: DecisionOptions,
): Promise<ServedDecisions> {
  const level = readLevel(request.level);
  const { served, rest } = await servePage(
    log,
    {
      filter: readFilter(request),
      includePreserved: request.includePreserved ?? true,
      levels: level === undefined ? SERVED_LEVELS : [level],
      isOneLevel: level !== undefined,
      limit: readLimit(request.limit),
      cursor: request.cursor,
    },
    options,
  );
  return { decisions: served.map(({ item }) => item), ...rest };
}
