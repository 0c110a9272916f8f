// Which results may be held against ours: whoever hands back nearly the whole list keeps everything, and says nothing.
import { isOurs } from "../ours.ts";
import type { PlantedCell, SessionCell } from "../run/walk.ts";

export const OVER_BUDGET = 1.1;

export interface Sized {
  readonly tokens: number;
  readonly budget: number;
}

export function isOverBudget({ tokens, budget }: Sized): boolean {
  return tokens > budget * OVER_BUDGET;
}

/** A result that met its budget, or is no larger than ours. */
export function isComparable(other: Sized, ours: Sized): boolean {
  return !isOverBudget(other) || other.tokens <= ours.tokens;
}

export interface Pair<Cell> {
  readonly ours: Cell;
  readonly other: Cell;
}

/** Each row of ours with each library's of the same session and budget. */
export function sessionPairs(cells: readonly SessionCell[]): readonly Pair<SessionCell>[] {
  return pairs(cells, ({ session, share }) => `${session.name} ${share}`);
}

export function plantedPairs(cells: readonly PlantedCell[]): readonly Pair<PlantedCell>[] {
  return pairs(cells, ({ task, share }) => `${task.turns} ${task.set} ${share}`);
}

function pairs<Cell extends SessionCell | PlantedCell>(
  cells: readonly Cell[],
  place: (cell: Cell) => string,
): readonly Pair<Cell>[] {
  const others = new Map<string, Cell[]>();
  for (const cell of cells.filter(({ peer }) => !isOurs(peer.name)))
    others.set(place(cell), [...(others.get(place(cell)) ?? []), cell]);
  const ours = cells.filter(({ peer }) => isOurs(peer.name));
  return ours.flatMap((one) => (others.get(place(one)) ?? []).map((other) => ({ ours: one, other })));
}
