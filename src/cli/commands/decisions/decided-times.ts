// When decisions were made, to the millisecond: what a client is served has the day alone, and an age worked out from that
// would differ by one from the age that decided about the level.
import type { DecisionLog } from "../../../decisions/decision-log.ts";

/** By id; without those of no readable time. */
export async function decidedTimes(log: DecisionLog, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const decisions = await log.read((reader) => reader.decisions(ids));
  return new Map(decisions.flatMap(({ id, decidedAt }) => (decidedAt === undefined ? [] : [[id, decidedAt] as const])));
}
