// `npm run bench:archive`: what an archive takes on disk, what a compaction writes, and what commands take on 10,000 steps.
// Writes docs/reference/archive.md; with SESSIONS or TURNS, other sizes, it prints.
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { buildArchive } from "./build-archive.ts";
import { timeCommands } from "./commands.ts";
import { type Growth, measureGrowth } from "./growth.ts";

const sessions = Number(process.env.SESSIONS ?? 1000);
const turns = Number(process.env.TURNS ?? 2000);
const STEPS = 10;
/** Compactions that are set against each other, at the beginning (behind the first ten) and at the end. */
const SOME = 20;

const number = (value: number) => Math.round(value).toLocaleString("en");
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const kilobytes = (bytes: number) => `${number(bytes / 1000)} KB`;
const share = (part: number, whole: number) => (part / whole).toFixed(2);

const growths = { none: await measureGrowth(turns, "none"), gzip: await measureGrowth(turns, "gzip") };
const { said, compactions, kinds } = growths.none;
const rowOf = (way: string, growth: Growth) => {
  const early = sum(growth.written.slice(10, 10 + SOME)) / SOME;
  const late = sum(growth.written.slice(-SOME)) / SOME;
  const each = [...growth.kinds.values()].map((bytes) => share(bytes, said));
  const all = share(sum(growth.kinds.values()), said);
  return `| ${[way, ...each, `**${all}**`, kilobytes(early), kilobytes(late), share(sum(growth.written), said)].join(" | ")} |`;
};

const figures = timeCommands(await buildArchive(sessions, STEPS));
const least = (values: readonly number[]) => Math.min(...values);
const bare = least(figures[0]?.times.map(({ processor }) => processor) ?? []);
const page = `# How large an archive is, and how fast

<!-- Written by \`npm run bench:archive\`. -->

Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, load ${(loadavg()[0] ?? 0).toFixed(1)}.

## How large

A session of ${number(turns)} turns with ${compactions} compactions, in which ${(said / 1e6).toFixed(2)} MB were said (messages as lines of JSON), with a look before each answer. What it takes on disk and what was written, in times of that; events are packed whatever \`storage.compression\` says.

| storage.compression | ${[...kinds.keys()].join(" | ")} | all | a compaction writes, 11th to 30th | the last 20 | all that they wrote |
|---|${"---|".repeat(kinds.size + 4)}
${rowOf("none", growths.none)}
${rowOf("gzip", growths.gzip)}

## How fast

Whole commands on ${number(sessions * STEPS)} steps in ${number(sessions)} sessions, the least of 5 runs (of one, where it is one). The processor's time is what a busy machine leaves nearly as it is.

| command | clock ms | processor ms | of bare Node |
|---|---|---|---|
${figures
  .map(({ what, times }) => {
    const processor = least(times.map((time) => time.processor));
    return `| ${what} | ${number(least(times.map(({ clock }) => clock)))} | ${number(processor)} | ${share(processor, bare)} |`;
  })
  .join("\n")}
`;
if (process.env.SESSIONS === undefined && process.env.TURNS === undefined)
  writeFileSync("docs/reference/archive.md", page);
else console.log(page);
