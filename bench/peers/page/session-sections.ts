// A table for each session, one for each generated one.
import { table, whole } from "../../page/markdown.ts";
import { COLUMN_TITLES, COLUMNS } from "../measures/retained.ts";
import { isOurs } from "../ours.ts";
import { isBroken } from "../run/jobs.ts";
import type { PlantedCell, SessionCell } from "../run/walk.ts";
import { faultsCell, heldCell, replayCell, timeCell, tokensCell } from "./cells.ts";

export function sessionSections(cells: readonly SessionCell[]): string {
  const names = [...new Set(cells.map(({ session }) => session.name))];
  return names.map((name) => sessionSection(cells.filter(({ session }) => session.name === name))).join("\n\n");
}

function sessionSection(cells: readonly SessionCell[]): string {
  const { name = "", tokens = 0, messages = 0 } = cells[0]?.session ?? {};
  const head = [
    "budget",
    "library",
    "tokens left",
    ...COLUMNS.map((column) => COLUMN_TITLES[column]),
    "faults",
    "ms",
    "replay cost",
  ];
  return `<details><summary>${name}: ${whole(tokens)} tokens, ${whole(messages)} messages</summary>

${table(head, cells.map(sessionRow))}

</details>`;
}

function sessionRow({ share, peer, session, compacted, replay }: SessionCell): readonly string[] {
  const start = [budgetCell(share), nameCell(peer.name)];
  if (isBroken(compacted)) return [...start, compacted.broken, ...COLUMNS.map(() => ""), "", "", replayCell(replay)];
  return [
    ...start,
    tokensCell(compacted, session.tokens),
    ...COLUMNS.map((column) => heldCell(compacted.retained[column])),
    faultsCell(compacted.faults),
    timeCell(compacted),
    replayCell(replay),
  ];
}

export function plantedSection(cells: readonly PlantedCell[]): string {
  if (cells.length === 0) return "";
  const rows = cells.map(({ task, share, peer, planted }) => {
    const start = [`${task.turns} turns, ${task.set}`, budgetCell(share), nameCell(peer.name)];
    if (isBroken(planted)) return [...start, planted.broken, "", ""];
    return [...start, tokensCell(planted), heldCell(planted), String(planted.stale)];
  });
  return `## Planted facts after five rounds

${table(["session", "budget", "library", "tokens left", "facts", "outdated"], rows)}`;
}

export function budgetCell(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function nameCell(name: string): string {
  return isOurs(name) ? `**${name}**` : name;
}
