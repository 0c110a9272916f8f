// `agent-compact decisions record`: writes a decision down, into a log that is made where none is.
import { type RecordRequest, recordDecision } from "../../../decisions/recording/record-decision.ts";
import { badFlag, quoted } from "../../flags.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { shortLine } from "../../render/decisions/wrap.ts";
import type { Terminal } from "../../terminal.ts";

export interface RecordFlags extends DecisionFlags {
  readonly category: string;
  readonly confidence: number;
  readonly stakes?: string;
  readonly reason?: readonly string[];
  readonly context?: string;
  readonly pattern?: string;
  readonly tag?: readonly string[];
  readonly supersedes?: readonly string[];
  readonly agent?: string;
  readonly preserve?: true;
}

const REASON_TYPES = [
  ...["analysis", "empirical", "pattern", "authority"],
  ...["analogy", "intuition", "elimination", "constraint"],
];

export async function recordOne(text: string, flags: RecordFlags, terminal: Terminal): Promise<void> {
  const request = requestOf(text, flags);
  await withDecisions(flags, terminal, { create: true }, async ({ log, shown, flag, options }) => {
    const answer = await recordDecision(log, request, options);
    const { id, supersedes = [] } = answer;
    printResult(
      answer,
      (colors) =>
        [
          `Recorded ${colors.cyan(id)} in ${shown}: ${shortLine(text, 80)}`,
          ...(supersedes.length === 0 ? [] : [`It takes the place of ${supersedes.join(", ")}.`]),
          `When you know what came of it: ${colors.cyan(`agent-compact decisions review ${id} --outcome success${flag}`)}`,
          "",
        ].join("\n"),
      flags,
      terminal,
      { isTold: true },
    );
  });
}

function requestOf(decision: string, flags: RecordFlags): RecordRequest {
  const { category, confidence, stakes, reason, context, pattern, tag, supersedes, agent, preserve } = flags;
  if (decision.trim() === "") throw badFlag("The decision is empty.", "Say what was decided, in quotes.");
  return {
    ...{ decision, category, confidence },
    ...(stakes === undefined ? {} : { stakes: stakes as NonNullable<RecordRequest["stakes"]> }),
    ...(reason === undefined ? {} : { reasons: reason.map(readReason) }),
    ...(context === undefined ? {} : { context }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(tag === undefined ? {} : { tags: [...tag] }),
    ...(supersedes === undefined ? {} : { supersedes: [...supersedes] }),
    ...(agent === undefined ? {} : { agent }),
    ...(preserve === undefined ? {} : { preserve }),
  };
}

/** `empirical:Three load tests passed`. A misspelt type must not become a part of the text. */
function readReason(word: string): { readonly type: string; readonly text: string } {
  const [, name = "", said = ""] = /^\s{0,10}([a-z_-]{1,30})\s{0,10}:([\s\S]*)$/i.exec(word) ?? [];
  const type = REASON_TYPES.find((known) => known === name.toLowerCase());
  if (type !== undefined && said.trim() !== "") return { type, text: said.trim() };
  throw badFlag(
    `--reason must be TYPE:TEXT, not ${quoted(word)}.`,
    `Types: ${REASON_TYPES.join(", ")}. For example: --reason "empirical:Three load tests passed"`,
  );
}
