// How a host goes on with a session that we wrote: what is typed, and whether the host finds the file.
import { join, sep } from "node:path";
import { kindAt } from "../../storage/files.ts";
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
