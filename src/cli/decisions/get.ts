// `agent-compact decisions get`: one decision as it was recorded, its level and why.
import { stringify } from "yaml";
import { DEFAULT_DECISION_POLICY, type Policies, type Thresholds } from "../../decisions/levels.ts";
import { readDecision } from "../../decisions/read-decision.ts";
import { type DecisionAnswer, getDecision } from "../../decisions/serving/get-decision.ts";
import { plural } from "../../text/figures.ts";
import { oneLine, wrapText } from "../render.ts";
import { printResult } from "../report.ts";
import { type Colors, type Terminal, widthOf } from "../terminal.ts";
import { daysOf, decidedTimes, paintLevel, whenOf } from "./figures.ts";
import { type DecisionFlags, withDecisions } from "./open-decisions.ts";

export async function showDecision(id: string, flags: DecisionFlags, terminal: Terminal): Promise<void> {
  await withDecisions(flags, terminal, {}, async ({ log, flag, options }) => {
    const answer = await getDecision(log, id, options);
    const decidedAt = (await decidedTimes(log, [answer.id])).get(answer.id);
    const { now, policies } = options;
    const width = widthOf(terminal.stdout);
    printResult(
      answer,
      (colors) => renderRecord(answer, { colors, width, now, decidedAt, flag, policies }),
      flags,
      terminal,
    );
  });
}

interface RecordView {
  readonly colors: Colors;
  readonly width: number;
  readonly now: number;
  readonly decidedAt: number | undefined;
  readonly flag: string;
  readonly policies: Policies;
}

function renderRecord(answer: DecisionAnswer, view: RecordView): string {
  const { id, decision, compactionLevel, standing } = answer;
  const { colors, width, now, decidedAt, flag } = view;
  const [title = "", ...more] = wrapText(decisionText(decision), { width, indent: "" });
  const written = [decision.date, decision.timestamp, decision.created_at].find((value) => typeof value === "string");
  const about = [whenOf(decidedAt, written as string | undefined, now), standing.status].map(oneLine);
  return `${[
    `${colors.cyan(oneLine(id))} ${colors.bold(title)}`,
    ...more.map((line) => colors.bold(line)),
    colors.dim(about.join(" · ")),
    `Level: ${paintLevel(compactionLevel, colors)}, because ${whyOf(answer, view)}`,
    ...(standing.superseded ? [colors.yellow(supersededLine(standing.supersededBy, flag))] : []),
    "",
    writtenRecord(decision),
  ].join("\n")}\n`;
}

function decisionText(raw: DecisionAnswer["decision"]): string {
  return [raw.decision, raw.summary].find((text) => typeof text === "string" && text.trim() !== "") as string;
}

function whyOf(answer: DecisionAnswer, { policies }: RecordView): string {
  const { standing, compactionLevel, policy: name, decision: raw } = answer;
  const policy = policies.find((each) => each.name === name) ?? DEFAULT_DECISION_POLICY;
  const under = name === DEFAULT_DECISION_POLICY.name ? "" : ` under the policy ${oneLine(name)}`;
  if (standing.preserved) return hasOwnMark(raw) ? "it is preserved." : `it is preserved${under}.`;
  if (!policy.isEnabled) return `nothing is shown shorter${under}.`;
  if (!standing.reviewed) return "it has not been reviewed: only a reviewed decision is shown shorter.";
  const { ageDays } = standing;
  if (ageDays === undefined) return "its date cannot be read.";
  if (ageDays < 0) return "its date is in the future.";
  const age = plural(ageDays, "day");
  const since = policy.ageBasis === "review" ? `it was reviewed ${age} ago` : `it is ${age} old`;
  return `${since}, and ${rangeOf(compactionLevel, policy.thresholds)}${under}.`;
}

/** Not by its stakes or a tag, which the policy names. */
function hasOwnMark(raw: DecisionAnswer["decision"]): boolean {
  return readDecision(raw, { name: "" }).decision?.isPreserved === true;
}

function rangeOf(level: DecisionAnswer["compactionLevel"], thresholds: Thresholds): string {
  if (level === "wisdom") return `wisdom begins at ${thresholds.digest}`;
  return `${level === "full" ? level : `a ${level}`} is ${daysOf(level, thresholds)}`;
}

function supersededLine(by: string | undefined, flag: string): string {
  if (by === undefined || by === "") return "Superseded: it is not in force any more.";
  return `Superseded by ${oneLine(by)}: agent-compact decisions get ${oneLine(by)}${flag}`;
}

/** Without the keys that say nothing. */
function writtenRecord(raw: DecisionAnswer["decision"]): string {
  const filled = Object.entries(raw).filter(([, value]) => !isNothing(value));
  return stringify(Object.fromEntries(filled), { lineWidth: 100 }).trimEnd();
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
