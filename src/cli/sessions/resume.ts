// How a host goes on with a session that we wrote: what is typed, whether the host finds the file, and whether it is at work
// where a session belongs, so that a file is not replaced under it.

import { execFile } from "node:child_process";
import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { promisify } from "node:util";
import { kindAt } from "../../storage/files.ts";
import { sha256 } from "../../storage/sha256.ts";
import { shownPath } from "../files/output.ts";
import { shellWord } from "../flags.ts";
import { HOSTS, homeFolder } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";
import { type HostSession, projectOf } from "./places.ts";

/** The folder that the host worked in, if that is another than this and is there. */
export async function otherProject(session: HostSession, { cwd }: Terminal): Promise<string | undefined> {
  const project = await projectOf(session);
  return project !== undefined && project !== cwd && (await kindAt(project)) === "folder" ? project : undefined;
}

/** For a shell; from the session's project, where hosts look for it. */
export function resumeCommand(commands: readonly (readonly string[])[], project: string | undefined): string {
  const all = project === undefined ? commands : [["cd", project], ...commands];
  return all.map((words) => words.map(shellWord).join(" ")).join(" && ");
}

/** A summary names commands that find what left from the folder where it was archived; a host works in its own. */
export function archivedElsewhere(archive: string | undefined, project: string | undefined) {
  if (archive === undefined || project === undefined || archive.startsWith(`${project}${sep}`)) return [];
  const message = `What left is archived in ${archive}: in ${project} it is found with --archive-dir.`;
  return [{ code: "archived_elsewhere", message }];
}

interface Written {
  readonly host: string;
  /** Absolute. */
  readonly place: string;
  /** Its name in the host's folder. */
  readonly file: string;
  /** Of the commands that go on with it. */
  readonly words: readonly (readonly string[])[];
}

/** What is said of a file that its host does not find: one outside of its folder that the command does not name. */
export function elsewhere({ host: name, place, file, words }: Written, { cwd, env }: Terminal) {
  const host = HOSTS.find((each) => each.name === name);
  const folder = join(host?.folder(homeFolder(env), env) ?? "", host?.sessions?.below ?? "");
  if (words.flat().includes(place) || place.startsWith(`${folder}${sep}`)) return [];
  const message = `${host?.title} looks for it below ${shownPath(folder, cwd)}, beside its others, as ${file}: move it there first.`;
  return [{ code: "not_where_host_looks", message }];
}

interface Process {
  readonly pid: string;
  readonly words: readonly string[];
  /** Undefined where the system does not tell: it may be any. */
  readonly folder?: string;
}

/**
 * The number of a process that is `command` and works in `folder`, which may be given by its SHA-256 too; undefined where
 * none is seen, as always on Windows.
 */
export async function findRunning(command: string, folder: string | undefined): Promise<string | undefined> {
  const wanted = folder === undefined ? undefined : await realpath(folder).catch(() => folder);
  const isThere = (own: string | undefined) =>
    own === undefined || wanted === undefined || own === wanted || sha256(own) === wanted;
  return (await processes()).find(({ words, folder: own }) => isCalled(words, command) && isThere(own))?.pid;
}

/** By its own name, or as the script that a runtime runs. */
function isCalled(words: readonly string[], command: string): boolean {
  const names = words.filter((word) => !word.startsWith("-")).slice(0, 2);
  return names.some((name) => basename(name).replace(/\.(?:[cm]?js|exe)$/, "") === command);
}

async function processes(): Promise<readonly Process[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (pids.length > 0) return (await Promise.all(pids.map(ofLinux))).filter((found) => found !== undefined);
  const { stdout } = await promisify(execFile)("ps", ["-xo", "pid=,args="]).catch(() => ({ stdout: "" }));
  return stdout.split("\n").map((line) => {
    const [pid = "", ...words] = line.trim().split(/\s+/);
    return { pid, words };
  });
}

/** Undefined for what has ended meanwhile, and for other users' processes. */
async function ofLinux(pid: string): Promise<Process | undefined> {
  try {
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    return { pid, words, folder: await readlink(`/proc/${pid}/cwd`) };
  } catch {
    return undefined;
  }
}
