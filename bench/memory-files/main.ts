// `npm run bench:memory-files`: what the analysis of a workspace with 1,000 notes takes, and the Markdown scanner beside
// another parser. Writes docs/reference/memory-files.md; with NOTES, a smaller run, it prints. What is measured is made
// once and lies in the temporary folder.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTable } from "micromark-extension-gfm-table";
import { analyzeMemoryFiles, planMemoryFilesCompaction } from "../../src/memory-files.ts";
import { scanMarkdown } from "../../src/text/markdown/scan-markdown.ts";
import { type Figure, percentile, timed, timesOf } from "../observations/timing.ts";
import { buildWorkspace, NOW } from "./sample-workspace.ts";

const noteCount = Number(process.env.NOTES ?? 1000);
const root = buildWorkspace(noteCount);
const MEGABYTE = 1e6;
const peak = () => (process.resourceUsage().maxRSS * 1024) / MEGABYTE;

// First of all, since the peak of a process never falls.
const before = peak();
const first = await timed(() => analyzeMemoryFiles(root, {}, { now: () => NOW }));
const atFirst = peak();
const analysis = await analyzeMemoryFiles(root, {}, { now: () => NOW });
const again = await timesOf(3, () => analyzeMemoryFiles(root, {}, { now: () => NOW }));
const planned = await timesOf(3, () => planMemoryFilesCompaction(root, { aggressive: true }, { now: () => NOW }));
const atLast = peak();

const notes = readdirSync(join(root, "memory")).map((name) => join(root, "memory", name));
const bytes = notes.reduce((sum, path) => sum + statSync(path).size, 0);
const texts = notes.slice(0, 100).map((path) => readFileSync(path, "utf8"));
const scanned = await timesOf(9, () => {
  for (const text of texts) scanMarkdown(text.split("\n"));
});
const parsed = await timesOf(2, () => {
  for (const text of texts) parse(text);
});

function parse(text: string) {
  return fromMarkdown(text, {
    extensions: [gfmTable(), frontmatter()],
    mdastExtensions: [gfmTableFromMarkdown(), frontmatterFromMarkdown()],
  });
}

const median = (times: Figure["times"]) =>
  percentile(
    times.map(({ processor }) => processor),
    0.5,
  );
const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const speed = (times: Figure["times"]) => size / MEGABYTE / (median(times) / 1000);
const figures: readonly Figure[] = [
  { what: "analysis, the first of a process", times: [first], note: `peak ${atFirst.toFixed(0)} MB` },
  { what: "analysis, again", times: again },
  { what: "analysis and plan, aggressive", times: planned, note: `peak of all of these ${atLast.toFixed(0)} MB` },
  {
    what: `Markdown scanner, ${texts.length} notes`,
    times: scanned,
    note: `${speed(scanned).toFixed(0)} MB/s; mdast-util-from-markdown takes ${(median(parsed) / median(scanned)).toFixed(0)} times as long`,
  },
  {
    what: "the same, mdast-util-from-markdown",
    times: parsed,
    note: `${speed(parsed).toFixed(1)} MB/s; reads what stands in paragraphs too`,
  },
];

const row = ({ what, times, note }: Figure) => {
  const cells = [times.map(({ clock }) => clock), times.map(({ processor }) => processor)];
  return `| ${what} | ${cells.map((cell) => percentile(cell, 0.5).toFixed(0)).join(" | ")} | ${note ?? ""} |`;
};
const load = (loadavg()[0] ?? 0).toFixed(1);
const contained = analysis.contained_sections.length;
const page = `# How fast memory files are analysed

<!-- Written by \`npm run bench:memory-files\`. -->

A generated workspace: a memory file of ${(analysis.memory_size / 1000).toFixed(0)} KB and ${analysis.notes.length.toLocaleString("en")} notes of together ${(bytes / MEGABYTE).toFixed(1)} MB, ${contained.toLocaleString("en")} of whose sections stand in the memory. Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, load ${load}. Median milliseconds by the clock and of the processor; a busy machine makes the first longer. The process had ${before.toFixed(0)} MB before the first analysis.

| what | clock ms | processor ms | |
|---|---|---|---|
${figures.map(row).join("\n")}
`;
if (process.env.NOTES === undefined)
  writeFileSync(new URL("../../docs/reference/memory-files.md", import.meta.url), page);
else console.log(page);
