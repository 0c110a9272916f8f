// A page of a decision log for a person: the counts, then each level as much as it is worth, then what was left out and
// the command that shows it.
import type { Level } from "../../../decisions/decision.ts";
import type { ServedDecision, ServedDecisions } from "../../../decisions/serving/served.ts";
import { shellWord } from "../../open-compactor.ts";
import type { Colors } from "../../terminal.ts";
import { figure, oneLine, plural } from "../table.ts";
import { policyNote, renderLevels } from "./levels.ts";
import { type ItemView, renderFull, renderGrouped, renderSummary } from "./list-items.ts";

export interface ListView extends ItemView {
  readonly shown: string;
  /** The flag that finds the log again, and those that chose what is shown. */
  readonly flag: string;
  readonly chosen: string;
  /** What is to be said of a category that no decision has; else empty. */
  readonly unknown: string;
}

export function renderList(served: ServedDecisions, view: ListView): string {
  const { colors, shown, flag } = view;
  const { levels, decisions, policy, errors = [] } = served;
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  const note = policyNote(policy, served.otherPolicies);
  const head = [
    colors.bold(`${plural(all, "decision")} in ${shown}`),
    renderLevels(levels, policy.thresholds, colors),
    ...(note === "" ? [] : [colors.dim(`  ${note}`)]),
  ];
  const blocks = [
    ...(all === 0
      ? [emptyText(view)]
      : [head.join("\n"), ...renderGroups(decisions, view), ...leftOutBlock(served, view)]),
    ...(errors.length === 0 ? [] : [renderFaults(served, flag, colors)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function emptyText({ shown, flag, chosen, unknown }: ListView): string {
  if (unknown !== "") return unknown;
  if (chosen !== "") return `No decision in ${shown} is of that kind. All of them: agent-compact decisions list${flag}`;
  return `${shown} holds no decisions yet. To write one down: agent-compact decisions record "Use X for Y" --category architecture --confidence 0.8${flag}`;
}

function renderGroups(decisions: readonly ServedDecision[], view: ListView): readonly string[] {
  const of = (level: Level) => decisions.filter((decision) => decision.level === level);
  const { colors } = view;
  const group = (title: string, level: Level, render: (decisions: readonly ServedDecision[]) => readonly string[]) => {
    const members = of(level);
    return members.length === 0
      ? []
      : [[colors.bold(`${title} (${figure(members.length)})`), ...render(members)].join("\n")];
  };
  return [
    ...group("In full", "full", (members) => apart(members.map((each) => renderFull(each, view)))),
    ...group("Summaries", "summary", (members) => members.map((each) => renderSummary(each, view))),
    ...group("Digests", "digest", (members) => renderGrouped(members, view)),
    ...group("Wisdom", "wisdom", (members) => renderGrouped(members, view)),
  ];
}

/** With an empty line between one and the next. */
function apart(blocks: readonly string[]): readonly string[] {
  return blocks.flatMap((block, index) => (index === 0 ? [block] : ["", block]));
}

function leftOutBlock(
  { total, levels, leftOut, nextCursor }: ServedDecisions,
  { flag, chosen, colors }: ListView,
): readonly string[] {
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  const list = `agent-compact decisions list${flag}${chosen}`;
  const lines = [
    ...(total === all ? [] : [`${figure(total)} of ${plural(all, "decision")} shown.`]),
    ...(leftOut.wisdom === 0
      ? []
      : [
          `${plural(leftOut.wisdom, "decision")} old enough to be counted only. What they taught: ${colors.cyan(`agent-compact decisions wisdom${flag}`)}; the list: ${colors.cyan(`${list} --level wisdom`)}`,
        ]),
    ...(leftOut.otherLevels === 0 ? [] : [`Of other levels: ${figure(leftOut.otherLevels)}.`]),
    ...(leftOut.before === 0 ? [] : [`On earlier pages: ${figure(leftOut.before)}.`]),
    ...(nextCursor === undefined
      ? []
      : [
          `${figure(leftOut.byLimit)} more, from the next page on: ${colors.cyan(`${list} --cursor ${shellWord(nextCursor)}`)}`,
        ]),
  ];
  return lines.length === 0 ? [] : [lines.join("\n")];
}

const MOST_FAULTS = 10;

function renderFaults(
  { errors = [], errorsTotal = errors.length }: ServedDecisions,
  flag: string,
  colors: Colors,
): string {
  const lines = errors.slice(0, MOST_FAULTS).map(({ id, message }) => `  ${oneLine(id)}: ${oneLine(message)}`);
  const left = errorsTotal - lines.length;
  return [
    colors.yellow(
      `${plural(errorsTotal, "record")} that cannot be served as ${errorsTotal === 1 ? "it" : "they"} should be:`,
    ),
    ...lines,
    ...(left > 0 ? [`  and ${figure(left)} more: agent-compact decisions list${flag} --json`] : []),
  ].join("\n");
}
