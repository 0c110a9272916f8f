// `npm run bench:archive`: what listing an archive of 10,000 steps takes, and what an archive takes on disk. Writes
// docs/reference/archive.md; with SESSIONS, another size, it prints. The sizes are of a session of the corpus, so they
// need AGENT_CORPUS.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { createFsArchive } from "../../src/archive/archives.ts";
import { createCatalog } from "../../src/archive/catalog.ts";
import { planRetention } from "../../src/archive/retention.ts";
import { type Figure, percentile, timesOf } from "../observations/timing.ts";
import { buildArchive } from "./build-archive.ts";
import { measureGrowth } from "./growth.ts";
import { walkFolders } from "./walk-folders.ts";

const sessions = Number(process.env.SESSIONS ?? 1000);
const STEPS = 10;
const root = await buildArchive(sessions, STEPS);
const catalogPath = join(root, "catalog.jsonl");
const asWritten = readFileSync(catalogPath);
const archive = createFsArchive({ path: root });
const written = await timesOf(5, async () => {
  writeFileSync(catalogPath, asWritten);
  await createFsArchive({ path: root }).sizes();
});
const sizes = await archive.sizes();
if (sizes.length !== sessions * STEPS) throw new Error(`the archive lists ${sizes.length} steps`);
const catalogBytes = statSync(catalogPath).size;

const fresh = await timesOf(15, () => createFsArchive({ path: root }).sizes());
const again = await timesOf(15, () => archive.sizes());
const walked = await timesOf(5, () => walkFolders(root));
const planned = await timesOf(15, () => planRetention(sizes, { maxAgeDays: 30, maxBytes: 1_000_000 }, Date.now()));
const rebuilt = await timesOf(3, async () => {
  rmSync(catalogPath);
  await createCatalog(root).entries();
});
writeFileSync(catalogPath, asWritten);

const median = (times: Figure["times"]) =>
  percentile(
    times.map(({ clock }) => clock),
    0.5,
  );
const figures: readonly Figure[] = [
  {
    what: "listing, a process's first",
    times: fresh,
    note: `a walk over the folders takes ${(median(walked) / median(fresh)).toFixed(1)} times as long`,
  },
  {
    what: "listing again, nothing written meanwhile",
    times: again,
    note: `the walk ${(median(walked) / median(again)).toFixed(1)} times`,
  },
  {
    what: `listing behind ${(sessions * STEPS * 2).toLocaleString("en")} writes`,
    times: written,
    note: "once: the catalog is then written anew, one line a session",
  },
  {
    what: "the same by a walk over the folders",
    times: walked,
    note: "readdir and lstat of each file, at most 32 at once",
  },
  { what: "rebuilding a missing catalog", times: rebuilt, note: "once" },
  { what: "planning what leaves", times: planned },
];
const row = ({ what, times, note }: Figure) => {
  const cells = [times.map(({ clock }) => clock), times.map(({ processor }) => processor)];
  const shown = cells.flatMap((cell) => [percentile(cell, 0.5), percentile(cell, 0.95)]).map((cell) => cell.toFixed(1));
  return `| ${what} | ${shown.join(" | ")} | ${note ?? ""} |`;
};
const page = `# How fast an archive is, and how large

<!-- Written by \`npm run bench:archive\`. -->

${(sessions * STEPS).toLocaleString("en")} steps in ${sessions.toLocaleString("en")} sessions, two files each, with a catalog of ${(catalogBytes / 1e6).toFixed(1)} MB. Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, load ${(loadavg()[0] ?? 0).toFixed(1)}. Milliseconds by the clock and of the processor; a busy machine makes the first longer, so compare the ratios, which are of one run.

| what | clock p50 ms | clock p95 ms | processor p50 ms | processor p95 ms | |
|---|---|---|---|---|---|
${figures.map(row).join("\n")}
${await measureGrowth()}`;
if (process.env.SESSIONS === undefined) writeFileSync("docs/reference/archive.md", page);
else console.log(page);
