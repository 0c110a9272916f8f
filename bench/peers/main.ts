// `npm run bench:peers`: what is left of real sessions when each library makes them small. Writes docs/comparison.md and
// docs/comparison.svg; ends with 1 where ours keeps less than another library, or leaves an invalid list.
import { readFileSync, writeFileSync } from "node:fs";
import { PLANTED } from "./measures/planted-rounds.ts";
import { drawChart } from "./page/chart.ts";
import { type Comparison, renderPage } from "./page/page.ts";
import { isBroken, SHARES } from "./run/jobs.ts";
import { createLanes } from "./run/lanes.ts";
import { type Options, readOptions } from "./run/options.ts";
import { type Plan, walk } from "./run/walk.ts";
import { readSessions } from "./sessions/read-sessions.ts";
import { isPromised, lossesOf } from "./verdict/losses.ts";

const QUICK_SESSIONS = 3;
const tell = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

const options = readOptions(process.argv.slice(2));
const comparison = options.from.length === 0 ? await compare(options) : keptFigures(options.from);
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(comparison));
const losses = lossesOf(comparison.measured);
const page = renderPage(comparison, losses);
if (options.isPart) console.log(page);
else {
  writeFileSync(new URL("../../docs/comparison.md", import.meta.url), page);
  writeFileSync(new URL("../../docs/comparison.svg", import.meta.url), drawChart(comparison.measured.sessions));
}
const broken = losses.filter(isPromised);
for (const { where, row, what, ours, other, theirs, lost = [] } of broken) {
  tell(`NOT KEPT ${where}, ${row}, ${what}: ${ours}${other === "" ? "" : `, ${other}: ${theirs}`}`);
  for (const text of lost.slice(0, 5)) tell(`  lost: ${text.slice(0, 120).replaceAll("\n", " ")}`);
}
if (broken.length > 0) process.exitCode = 1;

async function compare({ sessions: pattern, peers, isQuick, isKeptOnly, workers }: Options): Promise<Comparison> {
  const start = Date.now();
  const { sessions, leftOut } = readSessions(pattern);
  if (sessions.length === 0)
    throw new Error("No sessions: set AGENT_CORPUS to a folder with transcripts/ and derived/.");
  const lanes = createLanes(workers);
  try {
    const [listed] = await lanes.all([(crew) => crew.run({ kind: "list" })]);
    if (listed === undefined || isBroken(listed)) throw new Error(`The libraries were not loaded: ${listed?.broken}`);
    const chosen = listed.peers.filter(({ name }) => peers.test(name));
    const bySize = sessions.toSorted((one, other) => one.tokens - other.tokens);
    const plan: Plan = {
      sessions: isQuick ? bySize.slice(0, QUICK_SESSIONS) : bySize,
      peers: chosen,
      shares: isQuick ? [SHARES[1]] : SHARES,
      planted: isQuick ? [] : PLANTED,
      isKeptOnly,
    };
    const measured = await walk(plan, lanes, tell);
    return {
      listed: { ...listed, peers: chosen },
      measured,
      leftOut,
      date: new Date().toISOString().slice(0, 10),
      node: process.versions.node,
      minutes: Math.ceil((Date.now() - start) / 60_000),
    };
  } finally {
    await lanes.close();
  }
}

/** Of one run, or of runs over different sessions: what else is on the page is the first one's. */
function keptFigures(files: readonly string[]): Comparison {
  const [first, ...others] = files.map((file) => JSON.parse(readFileSync(file, "utf8")) as Comparison);
  if (first === undefined) throw new Error("No file of kept figures was given.");
  const sessions = [first, ...others].flatMap(({ measured }) => measured.sessions);
  const names = new Set(sessions.map(({ session }) => session.name));
  const minutes = [first, ...others].reduce((sum, each) => sum + each.minutes, 0);
  const leftOut = first.leftOut.filter(({ name }) => !names.has(name));
  return { ...first, minutes, runs: files.length, leftOut, measured: { ...first.measured, sessions } };
}
