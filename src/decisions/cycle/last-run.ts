// Which cycle ran last: what a plan is good for. The runs themselves are sorted by their times, and clocks are set back.
import type { CycleRun, DecisionReader, DecisionWriter } from "../decision-log.ts";

const KEY = "last_run";

/** Null before the first. */
export async function lastRun(log: Pick<DecisionReader, "state">): Promise<string | null> {
  const id = await log.state(KEY);
  return typeof id === "string" ? id : null;
}

export async function noteRun(log: Pick<DecisionWriter, "addRun" | "setState">, run: CycleRun): Promise<void> {
  await log.addRun(run);
  await log.setState(KEY, run.id);
}
