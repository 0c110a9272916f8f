// `agent-compact doctor`: what of this is in which host and whether it still starts, which configuration and archive apply
// here, and what to do next. It reads, and runs nothing of anybody's.
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { version as nodeVersion, platform } from "node:process";
import { CompactError } from "../../errors.ts";
import { plural } from "../../text/figures.ts";
import { shownPath } from "../files/output.ts";
import type { CommonFlags } from "../flags.ts";
import { HOSTS, type Host, homeFolder } from "../hosts.ts";
import { databasePath } from "../observations/open-store.ts";
import { archiveAt, readConfig } from "../open-compactor.ts";
import { renderTable, sizeText } from "../render.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { allRecords, type InstallRecord, lookInto, type Piece, readRecord, targetOf } from "./install.ts";

interface HostState {
  readonly host: string;
  readonly title: string;
  /** For one project only, its folder. */
  readonly project: string | null;
  /** Its program as a shell finds it, else its folder; null where neither is. */
  readonly found: string | null;
  readonly pieces: readonly Piece[];
  readonly problems: readonly string[];
  /** A command. */
  readonly next: string | null;
}

interface OwnState {
  readonly config: string | null;
  readonly archive: { readonly place: string; readonly sessions: number; readonly bytes: number } | null;
  readonly memory: { readonly path: string; readonly bytes: number } | null;
  readonly problems: readonly string[];
}

/** Throws `StoreFailed`, after everything was told, where something does not work. */
export async function examine(flags: CommonFlags, terminal: Terminal, version: string): Promise<void> {
  const records = await allRecords(terminal.env);
  const hosts: HostState[] = [];
  for (const host of HOSTS) {
    const projects = records.flatMap(({ host: name, project }) => (name === host.program ? (project ?? []) : []));
    const here = terminal.cwd === homeFolder(terminal.env) ? [] : [terminal.cwd];
    for (const project of new Set([undefined, ...here, ...projects])) {
      const state = await examineHost(host, project, terminal);
      if (project === undefined || state.problems.length > 0 || state.pieces.some(({ state }) => state !== "missing"))
        hosts.push(state);
    }
  }
  const own = await examineOwn(flags, terminal);
  const problems = [...hosts.flatMap((host) => host.problems), ...own.problems];
  const result = { version, node: nodeVersion, program: terminal.program ?? null, hosts, ...own, problems };
  printResult(result, (colors) => render(result, colors, terminal), flags, terminal);
  if (problems.length === 0) return;
  throw new CompactError("StoreFailed", `${plural(problems.length, "fault")} found.`, {
    code: "DOCTOR",
    hint: "They stand above, with what to do.",
  });
}

async function examineHost(host: Host, project: string | undefined, terminal: Terminal): Promise<HostState> {
  const folder = host.folder(homeFolder(terminal.env), terminal.env);
  const found = onPath(host.program, terminal) ?? (existsSync(folder) ? folder : null);
  const state = { host: host.name, title: host.title, project: project ?? null, found };
  const command = `agent-compact install ${host.program}${project === undefined ? "" : " --project"}`;
  try {
    const target = { ...targetOf(host.program, false, terminal), project };
    const record: InstallRecord | undefined = await readRecord(target);
    const pieces = await lookInto(target, record);
    const lost = (record?.program ?? []).filter((path) => !existsSync(path));
    const isMoved = record !== undefined && record.program.join() !== target.program.join();
    const isMissing = pieces.some(({ state }) => state === "missing") && found !== null;
    return {
      ...state,
      pieces,
      problems: lost.map((path) => `${host.title} starts ${path}, which is gone: ${command}`),
      next: lost.length > 0 || isMoved || isMissing ? command : null,
    };
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    return { ...state, pieces: [], problems: [error.message], next: null };
  }
}

/** The program of that name which a shell would start. */
function onPath(name: string, { env }: Terminal): string | undefined {
  const endings = platform === "win32" ? [".exe", ".cmd", ".ps1"] : [""];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((path) => existsSync(path));
}

async function examineOwn(flags: CommonFlags, terminal: Terminal): Promise<OwnState> {
  const sizeOf = (path: string) => (existsSync(path) ? { path, bytes: statSync(path).size } : null);
  try {
    const { config, file = null } = await readConfig(flags, terminal);
    const { archive, place } = archiveAt({}, terminal, config.storage);
    const sizes = await archive.sizes();
    const sessions = new Set(sizes.map(({ session_id }) => session_id)).size;
    const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    const memory = sizeOf(databasePath(config.observations?.db, terminal));
    return { config: file, archive: { place, sessions, bytes }, memory, problems: [] };
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    return { config: null, archive: null, memory: null, problems: [error.message] };
  }
}

interface Found extends OwnState {
  readonly version: string;
  readonly node: string;
  readonly program: Terminal["program"] | null;
  readonly hosts: readonly HostState[];
}

const COLUMNS = ["host", "for", "found", "of this in it"];

function render(
  { version, node, program, hosts, config, archive, memory, problems }: Found,
  colors: Colors,
  { cwd, env }: Terminal,
) {
  const words = (pieces: readonly Piece[], wanted: Piece["state"], as = "") =>
    pieces.flatMap(({ what, state }) => (state === wanted ? [what + as] : []));
  const home = homeFolder(env);
  const short = (path: string) => (path.startsWith(home) ? `~${path.slice(home.length)}` : path);
  const rows = hosts.map(({ title, project, found, pieces }) => [
    ...[title, project === null ? "all projects" : shownPath(project, cwd), found === null ? "no" : short(found)],
    [...words(pieces, "ours"), ...words(pieces, "other", " (not by install)")].join(", ") || "nothing",
  ]);
  const next = [...new Set(hosts.flatMap((host) => host.next ?? []))];
  return `${[
    `agent-compact ${version} on Node ${node}`,
    ...(program ?? []).map((path) => `  ${path}`),
    "",
    renderTable(COLUMNS, rows, colors),
    "",
    `Configuration  ${config === null ? "none" : shownPath(config, cwd)}`,
    ...(archive === null
      ? []
      : [
          `Archive        ${shownPath(archive.place, cwd)}, ${plural(archive.sessions, "session")}, ${sizeText(archive.bytes)}`,
        ]),
    ...(memory === null ? [] : [`Memory         ${short(memory.path)}, ${sizeText(memory.bytes)}`]),
    ...(problems.length === 0 ? [] : ["", ...problems.map((problem) => colors.red(problem))]),
    ...(next.length === 0 ? [] : ["", "Next:", ...next.map((command) => `  ${command}`)]),
  ].join("\n")}\n`;
}
