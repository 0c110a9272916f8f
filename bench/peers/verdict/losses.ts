// Every cell in which another library is better than ours, and whether what is promised holds.
import { COLUMN_TITLES, COLUMNS } from "../measures/retained.ts";
import { sumOf } from "../measures/validity.ts";
import { BY_CODE, isOurs } from "../ours.ts";
import { hasFailed, isBroken } from "../run/jobs.ts";
import type { Measured, PlantedCell, SessionCell } from "../run/walk.ts";
import { isComparable, isOverBudget, type Pair, plantedPairs, sessionPairs } from "./comparable.ts";

export interface Loss {
  readonly kind: "answers" | "retention" | "validity" | "size" | "time" | "cost" | "over budget" | "broken";
  /** `Claude Code session 26, 5 %`. */
  readonly where: string;
  readonly row: string;
  /** The other library; empty where ours alone is at fault. */
  readonly other: string;
  readonly what: string;
  readonly ours: string;
  readonly theirs: string;
  /** What ours lost and the other may have kept; not for the page. */
  readonly lost?: readonly string[];
}

/**
 * What the comparison promises: no invalid list, and wherever budgets are kept written files and answers. Answers are
 * promised without a model only: the scripted one lists names, which take the room of what answers.
 */
export function isPromised({ kind, row, what }: Loss): boolean {
  if (kind === "answers") return row === BY_CODE;
  return kind === "validity" || kind === "broken" || what === COLUMN_TITLES.written;
}

export function lossesOf({ sessions, planted }: Measured): readonly Loss[] {
  return [
    ...sessions.filter(({ peer }) => isOurs(peer.name)).flatMap(ownFaults),
    ...planted.filter(({ peer }) => isOurs(peer.name)).flatMap(ownPlantedFaults),
    ...sessionPairs(sessions).flatMap(sessionLosses),
    ...plantedPairs(planted).flatMap(plantedLosses),
  ];
}

function ownFaults({ session, share, peer, compacted, replay }: SessionCell): readonly Loss[] {
  const at = { where: placeOf(session.name, share), row: peer.name, other: "", theirs: "" };
  if (isBroken(compacted)) return [{ ...at, kind: "broken", what: "compaction", ours: compacted.broken }];
  const faults = sumOf(compacted.faults);
  const found: Loss[] = [];
  if (faults > 0) found.push({ ...at, kind: "validity", what: "faults", ours: String(faults) });
  if (isOverBudget(compacted))
    found.push({ ...at, kind: "over budget", what: "tokens left", ours: `${compacted.tokens} of ${compacted.budget}` });
  if (hasFailed(replay)) found.push({ ...at, kind: "broken", what: "replay", ours: replay.broken });
  return found;
}

function ownPlantedFaults({ task, share, peer, planted }: PlantedCell): readonly Loss[] {
  const at = {
    where: placeOf(`planted, ${task.turns} turns, ${task.set}`, share),
    row: peer.name,
    other: "",
    theirs: "",
  };
  if (isBroken(planted)) return [{ ...at, kind: "broken", what: "five rounds", ours: planted.broken }];
  if (!isOverBudget(planted)) return [];
  return [{ ...at, kind: "over budget", what: "tokens left", ours: `${planted.tokens} of ${planted.budget}` }];
}

function sessionLosses({ ours, other }: Pair<SessionCell>): readonly Loss[] {
  const at = { where: placeOf(ours.session.name, ours.share), row: ours.peer.name, other: other.peer.name };
  const losses: Loss[] = [];
  const add = (kind: Loss["kind"], what: string, mine: string, theirs: string, lost?: readonly string[]) =>
    losses.push({ ...at, kind, what, ours: mine, theirs, ...(lost === undefined ? {} : { lost }) });
  const [left, right] = [ours.compacted, other.compacted];
  if (!isBroken(left) && !isBroken(right) && isComparable(right, left)) {
    const [answered, others] = [left.answered, right.answered];
    if (answered !== undefined && others !== undefined && others.held > answered.held)
      add("answers", "questions answered", heldText(answered), heldText(others), answered.lost);
    for (const column of COLUMNS) {
      const [mine, theirs] = [left.retained[column], right.retained[column]];
      if (theirs.held > mine.held)
        add(
          "retention",
          COLUMN_TITLES[column],
          heldText(mine),
          heldText(theirs),
          mine.lost.filter((one) => !theirs.lost.includes(one)),
        );
    }
    const isNoLess = COLUMNS.every((column) => right.retained[column].held >= left.retained[column].held);
    if (isNoLess && right.tokens < left.tokens) add("size", "tokens left", String(left.tokens), String(right.tokens));
  }
  if (ours.peer.name !== BY_CODE && !other.peer.usesModel) return losses;
  if (!isBroken(left) && !isBroken(right) && right.milliseconds < left.milliseconds)
    add("time", "milliseconds", left.milliseconds.toFixed(1), right.milliseconds.toFixed(1));
  if (!isBroken(ours.replay) && !isBroken(other.replay) && other.replay.weighted < ours.replay.weighted)
    add("cost", "replay cost", thousands(ours.replay.weighted), thousands(other.replay.weighted));
  return losses;
}

function plantedLosses({ ours, other }: Pair<PlantedCell>): readonly Loss[] {
  const [left, right] = [ours.planted, other.planted];
  if (isBroken(left) || isBroken(right) || !isComparable(right, left)) return [];
  const where = placeOf(`planted, ${ours.task.turns} turns, ${ours.task.set}`, ours.share);
  const at = { where, row: ours.peer.name, other: other.peer.name };
  const losses: Loss[] = [];
  if (right.held > left.held)
    losses.push({
      ...at,
      kind: "retention",
      what: "planted facts",
      ours: heldText(left),
      theirs: heldText(right),
      lost: left.lost.filter((one) => !right.lost.includes(one)),
    });
  if (right.held >= left.held && right.stale < left.stale)
    losses.push({
      ...at,
      kind: "retention",
      what: "outdated values unmarked",
      ours: String(left.stale),
      theirs: String(right.stale),
    });
  if (right.held >= left.held && right.tokens < left.tokens)
    losses.push({ ...at, kind: "size", what: "tokens left", ours: String(left.tokens), theirs: String(right.tokens) });
  return losses;
}

export function placeOf(name: string, share: number): string {
  return `${name}, ${Math.round(share * 100)} %`;
}

function heldText({ held, of }: { readonly held: number; readonly of: number }): string {
  return `${held}/${of}`;
}

function thousands(weighted: number): string {
  return `${Math.round(weighted / 1000)} k`;
}
