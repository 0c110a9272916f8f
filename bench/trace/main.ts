// `npm run bench:trace`: what tracing adds to a preflight, by sink, with a server that works and with one that hangs; and
// one recorded run of a real session, counted at both ends. Writes docs/reference/tracing.md; with ROUNDS, a smaller run,
// or without AGENT_CORPUS, it prints.
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { recordRun } from "../../test/trace/collector/recorded-run.ts";
import { measureEmits, measurePreflights } from "./preflights.ts";

const rounds = Number(process.env.ROUNDS ?? 2000);
const MESSAGES = 1_000;

const preflights = await measurePreflights(MESSAGES, rounds);
const emits = await measureEmits(rounds * 5);
const run = await recordRun();

const ms = (milliseconds: number) => milliseconds.toFixed(3);
const added = (milliseconds: number) => `${milliseconds >= 0 ? "+" : ""}${ms(milliseconds)}`;
const load = (loadavg()[0] ?? 0).toFixed(1);

const rowOf = ({ sink, p50, p99, processor99, added50, added99 }: (typeof preflights)[number]) =>
  `| ${sink} | ${[ms(p50), ms(p99), ms(processor99), added(added50), added(added99)].join(" | ")} |`;

const worst = Math.max(...preflights.filter(({ sink }) => sink.includes("hole")).map(({ added99 }) => added99));
const nothing = preflights.find(({ sink }) => sink.includes("nothing"))?.added99 ?? 0;

const recorded =
  run === undefined
    ? "No AGENT_CORPUS was given."
    : `One session of the corpus, ${run.messages} messages in growing parts, ${run.compactions} compactions, with a viewer and a collector on the loopback beside each other. ${run.dropped} events dropped, ${run.lines.length} complaints.

| event | emitted | in the viewer | in the collector |
|---|---|---|---|
${run.events.map(({ name, emitted, viewer, collector }) => `| \`${name}\` | ${emitted} | ${viewer} | ${collector} |`).join("\n")}`;

const page = `# What tracing costs

<!-- Written by \`npm run bench:trace\`. -->

Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, load ${load}. Milliseconds. A busy machine widens the p99 of every row alike, with tracing and without.

## In the caller's own turn

All that a sink does before \`emit\` is back: one event into a queue. A preflight that has nothing to do emits three. The
promise is 0.2 ms at the 99th percentile for a whole preflight.

| sink | one event, p50 | p99 | three events, p99 |
|---|---|---|---|
${emits.map(({ sink, p50, p99, ofThree }) => `| ${sink} | ${p50.toFixed(4)} | ${p99.toFixed(4)} | ${ms(ofThree)} |`).join("\n")}

## A whole preflight

${MESSAGES.toLocaleString("en")} messages, the last one new at each call, ${rounds.toLocaleString("en")} rounds in which the rows take turns. What is encoded and posted in
the background runs in between, servers included, since they share the process. Making and redacting the events costs
what the row of the sink that does nothing shows; a sink adds the rest. By how much that row's p99 is off the first one's
is how much of any p99 here is collection of garbage and other programs.

| sinks | clock p50 | clock p99 | processor p99 | processor p50 added | processor p99 added |
|---|---|---|---|---|---|
${preflights.map(rowOf).join("\n")}

Against the 0.2 ms: with a black hole at most ${added(worst)} at the processor's p99, and ${added(nothing)} with a sink that does nothing.

## The same events at both ends

${recorded}
`;

if (process.env.ROUNDS === undefined && run !== undefined) writeFileSync("docs/reference/tracing.md", page);
else console.log(page);
