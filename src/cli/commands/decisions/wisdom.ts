// `agent-compact decisions wisdom`: what the oldest decisions taught.
import { getWisdom } from "../../../decisions/wisdom/get-wisdom.ts";
import { specForm } from "../../../decisions/wisdom/spec-form.ts";
import { structuredForm } from "../../../decisions/wisdom/structured-form.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { renderWisdom } from "../../render/decisions/wisdom.ts";
import { type Terminal, widthOf } from "../../terminal.ts";

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
    const width = widthOf(terminal.stdout);
    printResult(
      format === "structured" ? structuredForm(wisdom) : specForm(wisdom),
      (colors) => renderWisdom(wisdom, { shown, flag, width, minDecisions, colors }),
      flags,
      terminal,
    );
  });
}
