// `npm run bench:decisions`: what a decision log takes on 100,000 decisions, and a folder of 5,000 files. Writes
// docs/reference/decision-log.md; with ROWS, a smaller run, it prints. What is measured is made once and lies in the
// temporary folder.
import { existsSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { decisionPolicies } from "../../src/decisions/levels.ts";
import { getCompacted, queryDecisions } from "../../src/decisions/serving/query-decisions.ts";

import { createSqliteDecisionLog } from "../../src/decisions/sqlite-decision-log.ts";
import { getWisdom } from "../../src/decisions/wisdom/get-wisdom.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { word } from "../observations/note-text.ts";
import { type Figure, percentile, timesOf } from "../observations/timing.ts";
import { measureFolder } from "./folder.ts";
import { plainCompacted, plainWisdom } from "./plain-code.ts";
import { buildLog, LATER, NOW, sampleRecords } from "./sample-log.ts";

const count = Number(process.env.ROWS ?? 100_000);
const driver = await findDriver();
const path = await buildLog(count);
const lines = `${path}.jsonl`;
if (!existsSync(lines)) {
  writeFileSync(lines, [...sampleRecords(count)].map((record) => `${JSON.stringify(record)}\n`).join(""));
}
const log = createSqliteDecisionLog({ path, driver });
const policies = decisionPolicies();
const view = { policies, now: NOW };

const median = ({ times }: Figure) =>
  percentile(
    times.map(({ processor }) => processor),
    0.5,
  );
const beside = (own: Figure, peer: Figure): readonly Figure[] => [
  { ...own, note: `plain code takes ${(median(peer) / median(own)).toFixed(1)} times as long` },
  peer,
];
const compacted = {
  what: "getCompacted, 50 and all counts",
  times: await timesOf(30, () => getCompacted(log, {}, view)),
};
const plain = { what: "the same, plain code", times: await timesOf(3, () => plainCompacted(lines, NOW, 50)) };
const wisdom = {
  what: "getWisdom, all of wisdom's age",
  times: await timesOf(10, () => getWisdom(log, {}, { policies, now: LATER })),
};
const plainly = {
  what: "the same, plain code, wordings equal but for capitals",
  times: await timesOf(3, () => plainWisdom(lines, LATER)),
};
let cursor: string | undefined;
const figures: readonly Figure[] = [
  ...beside(compacted, plain),
  ...beside(wisdom, plainly),
  {
    what: "getCompacted of a category",
    times: await timesOf(30, () => getCompacted(log, { category: "process" }, view)),
  },
  {
    what: "getCompacted of an agent",
    times: await timesOf(30, () => getCompacted(log, { agent: "coder" }, view)),
  },
  {
    what: "getCompacted, page after page",
    times: await timesOf(30, async () => {
      cursor = (await getCompacted(log, { cursor }, view)).nextCursor;
    }),
  },
  {
    what: "getCompacted, the wisdom level",
    times: await timesOf(30, () => getCompacted(log, { level: "wisdom" }, view)),
  },
  {
    what: "getCompacted, five policies, kept tags",
    times: await timesOf(10, () => getCompacted(log, {}, { policies: manyPolicies(), now: NOW })),
  },
  {
    what: "queryDecisions, an ordinary word",
    times: await timesOf(10, (run) => queryDecisions(log, { query: word(500 + run) }, view)),
    note: "all texts are looked through",
  },
  {
    what: "which levels have changed since the last cycle",
    times: await timesOf(3, () => log.read((reader) => reader.levelChanges(view, {}))),
    note: "nearly all, in a log without a cycle",
  },
];
await log.close();
const all = [...figures, ...(await measureFolder(Math.min(count, 5000)))];

function manyPolicies() {
  return decisionPolicies({ preserveTags: ["keep"] }, [
    { name: "coder", agent: "coder", thresholds: { full: 3 } },
    { name: "data", category: "data", ageBasis: "review" },
    { name: "security", category: "security", preserveStakes: ["high"] },
    { name: "both", agent: "planner", category: "tooling", isEnabled: false },
  ]);
}

const row = (figure: Figure) => {
  const clock = figure.times.map((time) => time.clock);
  const processor = figure.times.map((time) => time.processor);
  const cells = [clock, processor].flatMap((times) => [percentile(times, 0.5), percentile(times, 0.95)]);
  return `| ${figure.what} | ${cells.map((cell) => cell.toFixed(1)).join(" | ")} | ${figure.note ?? ""} |`;
};
const load = (loadavg()[0] ?? 0).toFixed(1);
const page = `# How fast a decision log is

<!-- Written by \`npm run bench:decisions\`. -->

${count.toLocaleString("en")} generated decisions of a year in one SQLite file, each with a pattern and two reasons, a third with a lesson, of 8 categories, ${driver.name}, Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, load ${load}. Milliseconds by the clock and of the processor; a busy machine makes the first longer. Plain code reads all records as JSON for each call and works them out one by one; it merges no wordings but those that are equal.

| what | clock p50 ms | clock p95 ms | processor p50 ms | processor p95 ms | |
|---|---|---|---|---|---|
${all.map(row).join("\n")}
`;
if (process.env.ROWS === undefined) writeFileSync("docs/reference/decision-log.md", page);
else console.log(page);
