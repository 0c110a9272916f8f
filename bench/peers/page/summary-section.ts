// Over all sessions: the median, and the worst in brackets.
import { median, percent, table } from "../../page/markdown.ts";
import { COLUMN_TITLES, COLUMNS } from "../measures/retained.ts";
import { sumOf } from "../measures/validity.ts";
import { BY_CODE } from "../ours.ts";
import { type Broken, hasFailed, isBroken } from "../run/jobs.ts";
import type { Measured, PlantedCell, SessionCell } from "../run/walk.ts";
import { isOverBudget } from "../verdict/comparable.ts";
import { hasCompacted, heldCell } from "./cells.ts";
import { budgetCell, nameCell } from "./session-sections.ts";

/** What a reader of the result can tell: first of all, because the rest is a means to it. */
export function answersSection({ sessions }: Measured): string {
  const probed = sessions.filter(({ session }) => session.isProbed);
  if (probed.length === 0) return "";
  const shares = [...new Set(probed.map(({ share }) => share))];
  const names = [...new Set(probed.map(({ peer }) => peer.name))];
  const rows = names.map((name) => [
    nameCell(name),
    ...shares.map((share) => {
      const kept = answeredShare(probed.filter((cell) => cell.share === share && cell.peer.name === name));
      return kept === undefined ? "-" : `${Math.round(kept * 100)} %`;
    }),
  ]);
  const count = new Set(probed.map(({ session }) => session.name)).size;
  return `## What a reader still knows

${count} sessions were cut before their last fifth. Of 16 questions each that the last fifth needed, written from the full text, so many can be answered from the result; a result that is over budget by more than 10 % counts as wrong in all. [How that is measured, how far it agrees with readers, and the questions' kinds](reference/probes.md).

${table(["library", ...shares.map((share) => `budget ${budgetCell(share)}`)], rows)}`;
}

/** Mean over sessions; undefined where there are none. */
export function answeredShare(cells: readonly SessionCell[]): number | undefined {
  const shares = cells.flatMap(({ session, compacted }) => {
    if (!session.isProbed) return [];
    if (isBroken(compacted) || isOverBudget(compacted) || compacted.answered === undefined) return [0];
    return [compacted.answered.held / Math.max(1, compacted.answered.of)];
  });
  return shares.length === 0 ? undefined : sum(shares) / shares.length;
}

export function summarySection({ sessions: all, planted }: Measured): string {
  const sessions = all.filter(({ session }) => !session.isProbed);
  const shares = [...new Set(sessions.map(({ share }) => share))];
  const names = [...new Set(sessions.map(({ peer }) => peer.name))];
  const count = new Set(sessions.map(({ session }) => session.name)).size;
  const rows = shares.flatMap((share) =>
    names.map((name) => {
      const isRow = (cell: SessionCell | PlantedCell) => cell.share === share && cell.peer.name === name;
      return summaryRow(share, name, sessions.filter(isRow), planted.filter(isRow), sessions);
    }),
  );
  const titles = COLUMNS.map((column) => COLUMN_TITLES[column]);
  const head = [
    "budget",
    "library",
    "tokens left",
    "over budget",
    ...titles,
    "planted facts",
    "faults",
    "ms",
    "replay cost, ours = 1",
  ];
  return `## What stands there as a string

Recurring names are no longer promised: lists of them helped no reader. Medians over ${count} sessions, the worst of them in brackets; faults are summed over sessions. Over budget: in how many. Retention of a library that is over budget says little.

${table(head, rows)}`;
}

function summaryRow(
  share: number,
  name: string,
  cells: readonly SessionCell[],
  planted: readonly PlantedCell[],
  all: readonly SessionCell[],
): readonly string[] {
  const done = cells.flatMap(({ session, compacted }) => (isBroken(compacted) ? [] : [{ session, compacted }]));
  const facts = planted.map((cell) => cell.planted).filter(isDone);
  const left = done.map(({ session, compacted }) => compacted.tokens / session.tokens);
  const over = done.filter(({ compacted }) => isOverBudget(compacted)).length;
  return [
    budgetCell(share),
    nameCell(name),
    left.length === 0 ? "-" : `${percent(median(left))} (${percent(Math.max(...left))})`,
    `${over}${done.length < cells.length ? `; ${cells.length - done.length} failed` : ""}`,
    ...COLUMNS.map((column) => keptCell(done.map(({ compacted }) => compacted.retained[column]))),
    facts.length === 0
      ? "-"
      : heldCell({ held: sum(facts.map(({ held }) => held)), of: sum(facts.map(({ of }) => of)) }),
    String(sum(done.map(({ compacted }) => sumOf(compacted.faults)))),
    String(Math.round(median(done.map(({ compacted }) => compacted.milliseconds)))),
    costCell(cells, all),
  ];
}

function keptCell(retained: readonly { readonly held: number; readonly of: number }[]): string {
  const shares = retained.filter(({ of }) => of > 0).map(({ held, of }) => held / of);
  return shares.length === 0 ? "-" : `${short(median(shares))} (${short(Math.min(...shares))})`;
}

/** Of sessions that reach the trigger. */
function costCell(cells: readonly SessionCell[], all: readonly SessionCell[]): string {
  const ratios = cells.flatMap(({ session, share, replay }) => {
    const isOurs = (cell: SessionCell) =>
      cell.session.name === session.name && cell.share === share && cell.peer.name === BY_CODE;
    const ours = all.find(isOurs)?.replay;
    if (ours === undefined || isBroken(ours) || isBroken(replay) || !hasCompacted(ours)) return [];
    return [replay.weighted / ours.weighted];
  });
  const broken = cells.filter(({ replay }) => hasFailed(replay)).length;
  const failed = broken === 0 ? "" : `; ${broken} failed`;
  return ratios.length === 0 ? `-${failed}` : `${median(ratios).toFixed(2)}${failed}`;
}

function isDone<Result extends object>(answer: Result | Broken): answer is Result {
  return !isBroken(answer);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function short(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
