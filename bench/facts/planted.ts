// Hides forty facts in sessions of 50 to 1,000 turns, compacts them in five rounds, and prints which are still there.
// `unrun bench/facts/planted.ts [turns] [set]`: only sessions up to that length, only those of sets that begin so.
// LOST=1 names what is missing.
import { measurePlanted, scoreOf } from "./planted/measure-planted.ts";
import { type FactSet, plantSession } from "./planted/planted-session.ts";

const SESSIONS: readonly (readonly [number, FactSet])[] = [
  [50, "English"],
  [50, "Chinese"],
  [100, "German"],
  [200, "Spanish"],
  [400, "English"],
  [1000, "mixed"],
  [80, "second, English"],
  [300, "second, English"],
  [80, "second, five languages"],
  [300, "second, five languages"],
  [80, "third, mixed"],
  [300, "third, mixed"],
  [80, "fourth, mixed"],
  [300, "fourth, mixed"],
];
const KINDS = ["explicit", "superseded", "prohibition", "implicit"] as const;
const SEED = 20_310_417;

const longest = Number(process.argv[2] ?? 1000);
const wanted = process.argv[3] ?? "";
console.log(
  "| session | reduction | left | explicit | superseded (stale) | prohibitions | implicit | all, with one search |",
);
console.log("|---|---|---|---|---|---|---|---|");
for (const [turns, language] of SESSIONS.filter(([count, set]) => count <= longest && set.startsWith(wanted))) {
  for (const reduction of [0.85, 0.95]) await printRow(turns, language, reduction);
}

async function printRow(turns: number, language: FactSet, reduction: number): Promise<void> {
  const { facts, share } = await measurePlanted(plantSession(turns, language, SEED + turns), reduction);
  const cells = KINDS.map((kind) => {
    const { there, total, stale } = scoreOf(facts, kind);
    return `${there}/${total}${kind === "superseded" ? ` (${stale})` : ""}`;
  });
  const found = facts.filter(({ isFoundWithSearch }) => isFoundWithSearch).length;
  const row = [
    `${turns} turns, ${language}`,
    `${reduction * 100} %`,
    percent(share),
    ...cells,
    `${found}/${facts.length}`,
  ];
  console.log(`| ${row.join(" | ")} |`);
  if (process.env.LOST === undefined) return;
  for (const { fact, isThere, isStale, isFoundWithSearch } of facts) {
    if (!isThere || isStale || !isFoundWithSearch)
      console.log(
        `    ${isThere ? "" : "lost "}${isStale ? "stale " : ""}${isFoundWithSearch ? "" : "not found "}${fact.kind}: ${fact.say}`,
      );
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
