// `npm run bench:observations`: what the memory store takes on a million rows. Writes docs/reference/memory-store.md; with
// ROWS, a smaller run, it prints. The database is made once and lies in the temporary folder; the runs change it and put
// it back.
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { buildDatabase } from "./build-database.ts";
import { measureCompactions } from "./compactions.ts";
import { measureReads } from "./reads.ts";
import { type Figure, percentile } from "./timing.ts";

const count = Number(process.env.ROWS ?? 1_000_000);
const driver = await findDriver();
const path = buildDatabase(driver, count);
const store = createSqliteObservationStore({ path, driver });
const figures: readonly Figure[] = [...(await measureCompactions(store, driver, path)), ...(await measureReads(store))];
await store.close();

const row = ({ what, times, note = "" }: Figure) => {
  const clock = times.map((time) => time.clock);
  const processor = times.map((time) => time.processor);
  const cells = [
    percentile(clock, 0.5),
    percentile(clock, 0.95),
    percentile(processor, 0.5),
    percentile(processor, 0.95),
  ];
  return `| ${what} | ${cells.map((cell) => cell.toFixed(1)).join(" | ")} | ${note} |`;
};
const load = (loadavg()[0] ?? 0).toFixed(1);
const page = `# How fast the memory store is

<!-- Written by \`npm run bench:observations\`. -->

${count.toLocaleString("en")} rows of generated text in one SQLite file, ${driver.name}, Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, load ${load}. Milliseconds by the clock and of the processor. Where a search is bounded, only the newest of very many matches are ranked, and the answer says so.

| what | p50 ms | p95 ms | processor p50 ms | processor p95 ms | |
|---|---|---|---|---|---|
${figures.map(row).join("\n")}
`;
if (process.env.ROWS === undefined) writeFileSync("docs/reference/memory-store.md", page);
else console.log(page);
