// `agent-compact decisions list`: a page of the log, each decision at its level.
import type { Level } from "../../../decisions/decision.ts";
import { getCompacted } from "../../../decisions/serving/get-compacted.ts";
import { shellWord } from "../../open-compactor.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { renderList } from "../../render/decisions/list.ts";
import { type Terminal, widthOf } from "../../terminal.ts";
import { decidedTimes } from "./decided-times.ts";
import { unknownCategory } from "./unknown-category.ts";

export interface ListFlags extends DecisionFlags {
  readonly category?: string;
  readonly agent?: string;
  readonly level?: string;
  readonly limit?: number;
  /** False with `--no-preserved`. */
  readonly preserved?: boolean;
  readonly cursor?: string;
}

export async function listDecisions(flags: ListFlags, terminal: Terminal): Promise<void> {
  const { category, agent, limit, preserved, cursor } = flags;
  const level = flags.level as Level | undefined;
  await withDecisions(flags, terminal, {}, async ({ log, shown, flag, options }) => {
    const served = await getCompacted(
      log,
      { category, agent, level, limit, includePreserved: preserved, cursor },
      options,
    );
    const decidedAt = await decidedTimes(
      log,
      served.decisions.map(({ id }) => id),
    );
    const { full, summary, digest, wisdom } = served.levels;
    const unknown = full + summary + digest + wisdom === 0 ? await unknownCategory(log, category, options) : "";
    const width = widthOf(terminal.stdout);
    const { now } = options;
    printResult(
      served,
      (colors) =>
        renderList(served, { colors, width, now, decidedAt, shown, flag, unknown, chosen: chosenFlags(flags) }),
      flags,
      terminal,
    );
  });
}

/** The flags that chose what is listed, as they stand on a command line. */
function chosenFlags({ category, agent, level, limit, preserved }: ListFlags): string {
  return [
    ...(category === undefined ? [] : [` --category ${shellWord(category)}`]),
    ...(agent === undefined ? [] : [` --agent ${shellWord(agent)}`]),
    ...(level === undefined ? [] : [` --level ${level}`]),
    ...(preserved === false ? [" --no-preserved"] : []),
    ...(limit === undefined ? [] : [` --limit ${limit}`]),
  ].join("");
}
