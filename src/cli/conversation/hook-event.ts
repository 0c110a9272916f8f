// Reads the event of a host from stdin. Only the fields that are used are looked at, so that a host may add others; the
// paths in it are checked before anything is opened.
import { stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { errorCode } from "../../storage/files.ts";
import { asText, isFilledText, isObject, type JsonObject } from "../../text/json-values.ts";
import { MESSAGE_LIMITS, parseJson } from "../../text/parse-json.ts";
import { readBytes } from "../files/read-file.ts";
import { badInput } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

/** Other events carry whole answers of tools. */
const MOST_EVENT_BYTES = 64_000_000;

export interface HookEvent {
  /** The compaction. */
  readonly name: "before" | "start";
  readonly sessionId: string;
  /** Where the host's agent is: commands that it is shown are run there. */
  readonly cwd: string;
  /** Where the archive and the configuration are looked for: the project's folder, if the host names it. */
  readonly root: string;
  /** As it was given; empty where the host keeps no file. */
  readonly transcriptPath: string;
  /** Of a start: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string;
  /** Of a compaction: `auto`, `manual`. */
  readonly trigger: string;
  /** Empty where the host does not say it. */
  readonly model: string;
  /** What the person wants the compaction to keep. */
  readonly note: string;
}

/** Claude Code and Codex have two of them, Gemini CLI calls the first so and has none of the second kind. */
const NAMES: ReadonlyMap<string, HookEvent["name"]> = new Map([
  ["PreCompact", "before"],
  ["PreCompress", "before"],
  ["SessionStart", "start"],
]);

/** Undefined for an event that is none of ours. Throws `InvalidInput` for what is no event. */
export async function readEvent(terminal: Terminal): Promise<HookEvent | undefined> {
  const fields = await readFields(terminal);
  const name = fields.hook_event_name;
  if (!isFilledText(name))
    throw badInput("NO_EVENT", "The JSON on stdin names no hook_event_name.", "A host's hook calls this command.");
  const of = NAMES.get(name);
  if (of === undefined) return undefined;
  if (!isFilledText(fields.session_id))
    throw badInput("NO_SESSION", `The ${name} event names no session_id.`, "Report this with the host's version.");
  const cwd = await folderOf(asText(fields.cwd) || terminal.cwd, terminal);
  return {
    name: of,
    sessionId: fields.session_id,
    cwd,
    root: projectOf(cwd, terminal),
    transcriptPath: asText(fields.transcript_path),
    source: asText(fields.source),
    trigger: asText(fields.trigger),
    model: asText(fields.model),
    note: asText(fields.custom_instructions).trim(),
  };
}

async function readFields(terminal: Terminal): Promise<JsonObject> {
  const hints = { empty: "A host's hook pipes its event in.", tooLarge: "No host sends an event of that size." };
  const { bytes } = await readBytes("-", terminal, MOST_EVENT_BYTES, hints);
  const fields = parseOrNothing(bytes.toString("utf8"));
  if (isObject(fields)) return fields;
  throw badInput("NOT_AN_EVENT", "What stdin holds is no JSON object.", "A host's hook pipes its event in.");
}

function parseOrNothing(text: string): unknown {
  try {
    return parseJson(text, MESSAGE_LIMITS);
  } catch {
    return undefined;
  }
}

/** It must be there: an archive is made in it, folders above it are not. */
async function folderOf(path: string, { cwd }: Terminal): Promise<string> {
  const folder = resolve(cwd, path);
  const found = await stat(folder).catch(errorCode);
  if (typeof found === "object" && found.isDirectory()) return folder;
  throw badInput("NO_FOLDER", "The cwd of the event is no folder.", "Report this with the host's version.");
}

/** An agent that changed into a folder of its project finds the project's archive again. */
function projectOf(cwd: string, { env }: Terminal): string {
  const project = env.CLAUDE_PROJECT_DIR ?? "";
  if (!isAbsolute(project)) return cwd;
  const inside = relative(project, cwd);
  return inside.startsWith("..") || isAbsolute(inside) ? cwd : resolve(project);
}
