// Every cell in which another library is better, and every one in which a library failed.
import { median, table } from "../../page/markdown.ts";
import { sumOf } from "../measures/validity.ts";
import { isOurs } from "../ours.ts";
import { hasFailed, isBroken } from "../run/jobs.ts";
import type { Measured } from "../run/walk.ts";
import type { Loss } from "../verdict/losses.ts";
import { placeOf } from "../verdict/losses.ts";
import { faultsCell } from "./cells.ts";

const KINDS: readonly (readonly [Loss["kind"], string])[] = [
  ["answers", "Fewer questions are answered"],
  ["retention", "Fewer strings are kept"],
  ["validity", "Invalid lists"],
  ["broken", "Failed or timed out"],
  ["over budget", "Over budget"],
  ["size", "More tokens for no more kept"],
  ["cost", "Dearer to replay"],
  ["time", "Slower"],
];

export function lossSection(losses: readonly Loss[]): string {
  const parts = KINDS.map(([kind, title]) =>
    kindPart(
      title,
      losses.filter((loss) => loss.kind === kind),
    ),
  );
  return `## Where ours is behind

Every cell in which another library is better than one of our rows. A library that keeps next to nothing is easily faster and cheaper; it is listed all the same. The row with a model is held against libraries that use one in time and cost, against all in what is kept.

${parts.join("\n\n")}`;
}

function kindPart(title: string, losses: readonly Loss[]): string {
  if (losses.length === 0) return `**${title}**: nowhere.`;
  const rows = losses.map(({ where, row, what, ours, other, theirs }) => [where, row, what, ours, other, theirs]);
  const cells = table(["where", "our row", "what", "ours", "other", "theirs"], rows);
  const count = `${losses.length} ${losses.length === 1 ? "cell" : "cells"}`;
  return `**${title}**: ${count}.${byLibrary(losses)}

<details><summary>${title.toLowerCase()}: ${count}</summary>

${cells}

</details>`;
}

/** Which libraries, how often, and by how much in the middle. */
function byLibrary(losses: readonly Loss[]): string {
  const names = [...new Set(losses.map(({ row, other }) => `${row} ${other}`))];
  if (losses.every(({ other }) => other === "")) return "";
  const rows = names.map((name) => {
    const own = losses.filter(({ row, other }) => `${row} ${other}` === name);
    const ratios = own.map(({ ours, theirs }) => Number.parseFloat(ours) / Number.parseFloat(theirs));
    const finite = ratios.filter((ratio) => Number.isFinite(ratio));
    const middle = finite.length === 0 ? "-" : `${median(finite).toFixed(2)}`;
    return [own[0]?.row ?? "", own[0]?.other ?? "", String(own.length), middle];
  });
  return `\n\n${table(["our row", "other", "cells", "ours / theirs, median"], rows)}`;
}

export function brokenSection({ sessions, planted, failures }: Measured): string {
  const rows = [
    ...sessions.flatMap(({ session, share, peer, compacted, replay }) => {
      const at = [placeOf(session.name, share), peer.name];
      const broken = isBroken(compacted) ? [[...at, "compaction", compacted.broken]] : [];
      const invalid =
        isBroken(compacted) || sumOf(compacted.faults) === 0 ? [] : [[...at, "invalid", faultsCell(compacted.faults)]];
      return [...broken, ...invalid, ...(hasFailed(replay) ? [[...at, "replay", replay.broken]] : [])];
    }),
    ...planted.flatMap(({ task, share, peer, planted: found }) =>
      isBroken(found)
        ? [[placeOf(`planted, ${task.turns} turns, ${task.set}`, share), peer.name, "five rounds", found.broken]]
        : [],
    ),
    ...failures.flatMap(({ session, share, peer, fault, failed }) =>
      isBroken(failed) ? [[placeOf(session.name, share), peer.name, fault, failed.broken]] : [],
    ),
  ].filter(([, name]) => !isOurs(name ?? ""));
  const cells = table(["where", "library", "what", "how"], rows);
  return `## Where another library failed

It threw, timed out, or left a list that a provider refuses (faults as OpenAI chat / OpenAI Responses / Anthropic). Results over budget are marked in the tables above.

${rows.length === 0 ? "Nowhere." : cells}`;
}
