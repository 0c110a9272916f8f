// `agent-compact decisions wisdom`: what the oldest decisions taught.
import type { DecisionLog } from "../../../decisions/decision-log.ts";
import type { DecisionOptions } from "../../../decisions/decision-options.ts";
import { readFilter } from "../../../decisions/serving/read-request.ts";
import { getWisdom } from "../../../decisions/wisdom/get-wisdom.ts";
import { specForm } from "../../../decisions/wisdom/spec-form.ts";
import { structuredForm } from "../../../decisions/wisdom/structured-form.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { renderWisdom } from "../../render/decisions/wisdom.ts";
import { type Terminal, widthOf } from "../../terminal.ts";
import { unknownCategory } from "./unknown-category.ts";

export interface WisdomFlags extends DecisionFlags {
  readonly category?: string;
  readonly agent?: string;
  readonly minDecisions?: number;
  readonly format?: string;
}

export async function showWisdom(flags: WisdomFlags, terminal: Terminal): Promise<void> {
  const { category, agent, minDecisions, format } = flags;
  await withDecisions(flags, terminal, {}, async ({ log, shown, flag, options }) => {
    const wisdom = await getWisdom(log, { category, agent, minDecisions }, options);
    const unknown = wisdom.totalDecisions === 0 ? await unknownCategory(log, category, options) : "";
    const preserved = wisdom.totalDecisions - (await listedAsWisdom(log, { category, agent }, options));
    const width = widthOf(terminal.stdout);
    printResult(
      format === "structured" ? structuredForm(wisdom) : specForm(wisdom),
      (colors) => renderWisdom(wisdom, { shown, flag, width, minDecisions, preserved, unknown, colors }),
      flags,
      terminal,
    );
  });
}

/** Wisdom is drawn from preserved decisions, too, which lists show and count in full. */
async function listedAsWisdom(
  log: DecisionLog,
  request: Parameters<typeof readFilter>[0],
  { policies, now }: DecisionOptions,
): Promise<number> {
  const filter = readFilter(request);
  const { levels } = await log.read((reader) => reader.survey({ filter, view: { policies, now } }));
  return levels.wisdom;
}
