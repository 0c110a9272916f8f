// `memory-files --claude`: what Claude Code keeps in its own memory and does not read. Only looks.
import { readdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CompactError } from "../../errors.ts";
import { defaultCount } from "../../factories/summarizer.ts";
import { analyzeClaudeMemory, type ClaudeMemory, INDEX, INDEX_LIMIT } from "../../memory-files/claude-memory.ts";
import { kindAt } from "../../storage/files.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { shownPath } from "../files/output.ts";
import { badFlag, type CommonFlags, shellWord } from "../flags.ts";
import { HOSTS, homeFolder } from "../hosts.ts";
import { type Cell, cutToCells, renderTable, right, wrapText } from "../render.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { block, WARNING } from "./analysis-view.ts";

/** `named`: a memory folder, that of a project of Claude Code's, or a folder that it works in; none: all there are. */
export async function showClaudeMemory(
  named: readonly string[],
  flags: CommonFlags & Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<void> {
  const writing = ["apply", "planOut", "plan", "aggressive", "contained", "move", "digest", "memoryFile", "notesGlob"];
  if (writing.some((flag) => flags[flag] !== undefined))
    throw badFlag("--claude only looks: it goes with --json and --quiet, and no other flag.");
  if (named.length > 1) throw badFlag("--claude takes one folder.", "Name it once, behind --claude.");
  const [given] = named;
  const folders = given === undefined ? await allFolders(terminal) : [await folderOf(given, terminal)];
  const count = defaultCount();
  const found: ClaudeMemory[] = [];
  for (const folder of folders) found.push(await analyzeClaudeMemory(folder, count));
  const memories = found.filter(({ index, topics }) => index !== null || topics.length > 0);
  if (memories.length === 0) throw nothingFound(projectsFolder(terminal));
  const [first] = memories;
  const isOne = memories.length === 1 && first !== undefined;
  printResult(
    { memories, limit: INDEX_LIMIT },
    (colors) => (isOne ? renderOne(first, terminal, colors) : renderAll(memories, terminal, colors)),
    flags,
    terminal,
  );
}

function projectsFolder({ env }: Terminal): string {
  const host = HOSTS.find(({ name }) => name === "claude-code");
  return join(host?.folder(homeFolder(env), env) ?? "", host?.sessions?.below ?? "projects");
}

async function allFolders(terminal: Terminal): Promise<readonly string[]> {
  const projects = projectsFolder(terminal);
  const names = await readdir(projects).catch((): string[] => []);
  const folders = names.sort().map((name) => join(projects, name, "memory"));
  const kinds = await Promise.all(folders.map(kindAt));
  return folders.filter((_, at) => kinds[at] === "folder");
}

async function folderOf(given: string, terminal: Terminal): Promise<string> {
  const path = resolve(terminal.cwd, given);
  const real = await realpath(path).catch(() => path);
  // As Claude Code names the folder of a project: every sign that is no letter and no digit is a dash.
  const project = join(projectsFolder(terminal), real.replace(/[^A-Za-z0-9]/g, "-"), "memory");
  const known = [project, ...((await kindAt(join(real, INDEX))) === "file" ? [real] : []), join(real, "memory"), real];
  for (const folder of known) if ((await kindAt(folder)) === "folder") return folder;
  throw nothingFound(given);
}

function nothingFound(where: string): CompactError {
  return new CompactError("NotFound", `no memory of Claude Code in ${where}`, {
    code: "NO_MEMORY_FILES",
    hint: "Name its folder, as ~/.claude/projects/PROJECT/memory, or the folder that Claude Code works in: --claude DIR",
  });
}

const WIDTH = 80;
const NAME_CELLS = 40;
const TEXT_CELLS = 44;
const MOST = 5;

function renderAll(memories: readonly ClaudeMemory[], { cwd }: Terminal, colors: Colors): string {
  const rows = memories.map(({ folder, index, beyond, topics, orphans, dead, repeats }): readonly Cell[] => [
    cutToCells(folder.replace(/[\\/]memory$/, "").replace(/^.*[\\/]/, ""), NAME_CELLS),
    index?.lines ?? 0,
    beyond === null ? 0 : { text: figure(beyond.line_to - beyond.line_from + 1), paint: colors.yellow },
    topics.length,
    orphans.length + (beyond?.topics.length ?? 0),
    dead.length,
    repeats.length,
  ]);
  const columns = ["project", ...["lines", "unread", "topics", "not found", "dead", "repeats"].map(right)];
  const worst = memories.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  const shown = shellWord(shownPath(worst?.folder ?? "", cwd));
  return `${colors.bold(plural(memories.length, "memory of Claude Code", "memories of Claude Code"))}\n${renderTable(columns, rows, colors)}\n\nOf one of them:\n  ${colors.cyan(`agent-compact memory-files --claude ${shown}`)}\n`;
}

function weightOf({ beyond, orphans, dead, repeats }: ClaudeMemory): number {
  return (beyond === null ? 0 : beyond.bytes) + 100 * (orphans.length + dead.length + repeats.length);
}

function renderOne(memory: ClaudeMemory, { cwd }: Terminal, colors: Colors): string {
  const { folder, topics, orphans, sub_indexes, dead, unread } = memory;
  const tokens = topics.reduce((sum, topic) => sum + topic.tokens, 0);
  const list = (title: string, lines: readonly string[]) =>
    block(
      `${colors.yellow(WARNING)} ${colors.bold(title)}`,
      lines.slice(0, MOST).map((line) => `  ${cutToCells(line, WIDTH - 2)}`),
      lines.length - MOST,
    );
  const blocks = [
    [
      colors.bold(`Claude Code's memory in ${shownPath(folder, cwd)}`),
      ...renderIndex(memory, colors),
      `  ${plural(topics.length, "topic file")}, ${plural(tokens, "token")}, read when the index leads there`,
    ].join("\n"),
    ...renderRepeats(memory, colors),
    ...list(
      `${plural(dead.length, "pointer")} to files that are not there`,
      dead.map(({ line, target }) => `line ${line}: ${target}`),
    ),
    ...list(`${plural(orphans.length, "topic file")} that nothing leads to`, orphans),
    ...list(
      `${plural(sub_indexes.length, "topic file")} through which alone others are reached`,
      sub_indexes.map(({ file, leads_to }) => `${file}: ${leads_to.join(", ")}`),
    ),
    ...list(
      `${plural(unread.length, "file")} not read`,
      unread.map(({ file, message }) => `${file}: ${message}`),
    ),
    adviceOf(memory),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function renderIndex({ index, beyond }: ClaudeMemory, colors: Colors): readonly string[] {
  if (index === null) return [`  ${colors.yellow(WARNING)} there is no ${INDEX}, so none of it is read at a start`];
  const size = `${INDEX}: ${plural(index.lines, "line")}, ${plural(index.bytes, "byte")}, ${plural(index.tokens, "token")}`;
  const cap = `${INDEX_LIMIT.lines} lines or ${figure(INDEX_LIMIT.bytes)} bytes`;
  if (beyond === null) return [`  ${size}`, `  ${colors.green(`all of it is read: within ${cap}`)}`];
  const { line_from, line_to, bytes, topics } = beyond;
  const lost = topics.length === 0 ? "" : `, nor the ${plural(topics.length, "topic file")} that only they lead to`;
  const said = `${WARNING} lines ${line_from}-${line_to} (${plural(bytes, "byte")}) are never read${lost}: a start reads ${cap}`;
  return [
    `  ${size}`,
    ...wrapText(said, { width: WIDTH, indent: "    ", hanging: "  " }).map((line) => colors.yellow(line)),
  ];
}

function renderRepeats({ repeats }: ClaudeMemory, colors: Colors): readonly string[] {
  const bytes = sum(repeats.map((each) => each.bytes));
  const rows = repeats
    .slice(0, MOST)
    .map(({ line_from, line_to, bytes: size, topic, text }) => [
      line_from === line_to ? `${line_from}` : `${line_from}-${line_to}`,
      size,
      cutToCells(topic, NAME_CELLS / 2),
      { text: cutToCells(text, TEXT_CELLS - 10), paint: colors.dim },
    ]);
  const table = renderTable(["lines", right("bytes"), "as in", "text"], rows, colors);
  const title = `${plural(repeats.length, "entry", "entries")} of the index that a topic file says, ${plural(bytes, "byte")}`;
  const head = `${colors.yellow(WARNING)} ${colors.bold(title)}`;
  return block(head, rows.length === 0 ? [] : [table], repeats.length - rows.length);
}

/** What would help most, in the words of who does it. */
function adviceOf({ index, beyond, repeats, orphans, dead, topics }: ClaudeMemory): string {
  const steps = [
    ...(repeats.length > 0 ? ["leave one line for each entry that a topic file says"] : []),
    ...(beyond !== null && repeats.reduce((sum, { bytes }) => sum + bytes, 0) < beyond.bytes
      ? ["move the longest entries to topic files"]
      : []),
    ...(orphans.length > 0 || (index === null && topics.length > 0)
      ? ["name the topic files that nothing leads to"]
      : []),
    ...(dead.length > 0 ? ["take out the dead pointers"] : []),
  ];
  if (steps.length === 0) return "Nothing was changed, and there is nothing to do.";
  return wrapText(`Nothing was changed. Ask Claude Code to tidy it: ${steps.join("; ")}.`, {
    width: WIDTH,
    indent: "",
  }).join("\n");
}
