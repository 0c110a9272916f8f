// `agent-compact decisions record, review, preserve`: what changes one decision: it is written down, what came of it is,
// or it is kept in full at any age. Record makes the log where none is.
import type { RawDecision } from "../../decisions/decision.ts";
import { type RecordRequest, recordDecision } from "../../decisions/record-decision.ts";
import { isPatternAlone, reviewDecision, setPreserve } from "../../decisions/review-decision.ts";
import { getDecision } from "../../decisions/serving/get-decision.ts";
import type { NearWording } from "../../decisions/wisdom/merge-wordings.ts";
import { CompactError } from "../../errors.ts";
import { plural } from "../../text/figures.ts";
import { badFlag, quoted } from "../flags.ts";
import { cutToCells, oneLine, wrapText } from "../render.ts";
import { printResult } from "../report.ts";
import { type Colors, type Terminal, widthOf } from "../terminal.ts";
import { withDecisions } from "./open-decisions.ts";
import type { PreserveFlags, RecordFlags, ReviewFlags } from "./program.ts";

const REASON_TYPES = [
  ...["analysis", "empirical", "pattern", "authority"],
  ...["analogy", "intuition", "elimination", "constraint"],
];

export async function recordOne(text: string, flags: RecordFlags, terminal: Terminal): Promise<void> {
  const request = requestOf(text, flags);
  await withDecisions(flags, terminal, { create: true }, async ({ log, shown, flag, options }) => {
    const answer = await recordDecision(log, request, options);
    const { id, supersedes = [], nearWordings } = answer;
    const width = widthOf(terminal.stdout);
    printResult(
      answer,
      (colors) =>
        [
          `Recorded ${colors.cyan(id)} in ${shown}: ${cutToCells(text, 80)}`,
          ...(supersedes.length === 0 ? [] : [`It takes the place of ${supersedes.join(", ")}.`]),
          ...nearLines(nearWordings, "If its pattern is one of these, give it as --pattern when you review it", width),
          `When you know what came of it: ${colors.cyan(`agent-compact decisions review ${id} --outcome success${flag}`)}`,
          "",
        ].join("\n"),
      flags,
      terminal,
      { isReport: true },
    );
  });
}

/** What the log says already, for whoever is about to say it otherwise. */
function nearLines(near: readonly NearWording[] = [], what: string, width: number): readonly string[] {
  if (near.length === 0) return [];
  const wordings = near.map(
    ({ text, decisions }) => `  ${cutToCells(text, width - 20)} (${plural(decisions, "decision")})`,
  );
  return [`${what}, so that they count together:`, ...wordings];
}

function requestOf(decision: string, flags: RecordFlags): RecordRequest {
  const { category, confidence, stakes, reason, context, pattern, tag, supersedes, agent, preserve } = flags;
  if (decision.trim() === "") throw badFlag("The decision is empty.", "Say what was decided, in quotes.");
  const tags = tag && [...tag];
  const replaced = supersedes && [...supersedes];
  return {
    ...{ decision, category, confidence, stakes, reasons: reason?.map(readReason), context, pattern, tags },
    ...{ supersedes: replaced, agent, preserve },
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

export async function reviewOne(id: string, flags: ReviewFlags, terminal: Terminal): Promise<void> {
  const { outcome, result: actualResult, lessons, pattern, notes, agent } = flags;
  await withDecisions(flags, terminal, {}, async ({ log, flag, options }) => {
    const answer = await reviewDecision(log, { id, outcome, actualResult, lessons, pattern, notes, agent }, options);
    const { compactionLevel, replaced, nearWordings } = answer;
    const shownId = oneLine(answer.id);
    const width = widthOf(terminal.stdout);
    printResult(
      answer,
      (colors) =>
        [
          `Reviewed ${colors.cyan(shownId)}: ${answer.outcome}. ${levelLine(compactionLevel)}`,
          ...(replaced === undefined ? [] : renderReplaced(replaced, { colors, width })),
          ...nearLines(nearWordings, "If it says one of these, review it again in these words", width),
          ...(compactionLevel === "full"
            ? []
            : [`To keep it in full: ${colors.cyan(`agent-compact decisions preserve ${shownId}${flag}`)}`]),
          "",
        ].join("\n"),
      flags,
      terminal,
      { isReport: true },
    );
  });
}

function levelLine(level: string): string {
  if (level === "full") return "It is shown in full for now.";
  return level === "wisdom"
    ? "By its age it counts in wisdom from now on."
    : `By its age it is shown as a ${level} from now on.`;
}

// The review that a new one took the place of, whole: the record does not have it any more.

/** What stands below the first line, with its name for a person. */
const FIELDS = [
  ["actual_result", "result"],
  ["lessons", "lessons"],
  ["review_notes", "notes"],
  ["pattern", "pattern"],
] as const;

function renderReplaced(
  replaced: RawDecision,
  { colors, width }: { readonly colors: Colors; readonly width: number },
): readonly string[] {
  if (isPatternAlone(replaced))
    return [colors.yellow(`It replaced this pattern, which nothing else keeps: ${said(replaced.pattern)}`)];
  const { outcome, reviewed_at: at, reviewed_by: by } = replaced;
  const about = [
    said(outcome) || "without an outcome",
    ...(said(at) === "" ? [] : [said(at).slice(0, 10)]),
    ...(said(by) === "" ? [] : [`by ${said(by)}`]),
  ];
  return [
    colors.yellow(`It replaced this review, which nothing else keeps: ${about.join(", ")}`),
    ...FIELDS.flatMap(([key, name]) =>
      said(replaced[key]) === "" ? [] : wrapText(said(replaced[key]), { width, indent: "    ", head: `${name}: ` }),
    ),
  ];
}

function said(value: unknown): string {
  if (value === undefined || value === null) return "";
  return oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

const UNKNOWN = { code: "UNKNOWN_DECISION", hint: "List the decisions to see their ids." };

export async function preserveOne(id: string, flags: PreserveFlags, terminal: Terminal): Promise<void> {
  const preserve = flags.off !== true;
  await withDecisions(flags, terminal, {}, async ({ log, flag, options }) => {
    const answer = await setPreserve(log, { id, preserve }, options);
    // To a client it is an answer; to a person at a prompt, a mistake.
    if (!answer.success) throw new CompactError("NotFound", answer.error ?? "No decision has this id.", UNKNOWN);
    const { compactionLevel, standing, policy } = await getDecision(log, answer.decisionId, options);
    const shownId = oneLine(answer.decisionId);
    const still = !preserve && standing.preserved ? ` The policy ${oneLine(policy)} preserves it all the same.` : "";
    printResult(
      { ...answer, compactionLevel },
      (colors) =>
        preserve
          ? `${colors.cyan(shownId)} is preserved: shown in full at any age. To undo: agent-compact decisions preserve ${shownId} --off${flag}\n`
          : `${colors.cyan(shownId)} is not preserved any more; its level is ${compactionLevel}.${still}\n`,
      flags,
      terminal,
      { isReport: true },
    );
  });
}
