// Flags and configuration to a decision log: a folder of YAML records, or a database. One is made only by the commands
// that put something into it; where none is, the error says how to begin.
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { DecisionLog, DecisionOptions } from "../../decisions/decision-log.ts";
import { otherCategories } from "../../decisions/serving/query-decisions.ts";
import { CompactError, withHints } from "../../errors.ts";
import { decisionPoliciesOf, openDecisionLog } from "../../factories/decisions.ts";
import { kindAt } from "../../storage/files.ts";
import { shownPath } from "../files/output.ts";
import { badFlag, badInput, type CommonFlags, DEFAULT_DECISION_DATABASE, shellWord } from "../flags.ts";
import { databasePath } from "../observations/open-store.ts";
import { readConfig, withTrace } from "../open-compactor.ts";
import { unknownName } from "../render.ts";
import type { Terminal } from "../terminal.ts";

const DEFAULT_DECISION_FOLDER = "decisions";

export interface DecisionFlags extends CommonFlags {
  readonly decisions?: string;
  readonly db?: string;
}

type LoadedFile = Awaited<ReturnType<typeof readConfig>>["config"];

export interface OpenedDecisions {
  readonly log: DecisionLog;
  /** As a person here would type it. */
  readonly shown: string;
  /** The flag that finds it again, with a space before it; empty where it is found without. */
  readonly flag: string;
  readonly options: DecisionOptions;
  readonly config: LoadedFile;
}

/** Where a log is, absolute, and whether somebody named it. */
type DecisionPlace = ({ readonly dir: string } | { readonly db: string }) & { readonly isNamed: boolean };

/** Throws `NotFound` for a log that is not there, unless it may be made. */
export async function withDecisions<T>(
  flags: DecisionFlags,
  terminal: Terminal,
  { create = false }: { readonly create?: boolean },
  work: (opened: OpenedDecisions) => Promise<T>,
): Promise<T> {
  const { config } = await readConfig(flags, terminal);
  const place = await decisionPlace(flags, config.decisions, terminal);
  const flag = flagOf(flags);
  const path = "dir" in place ? place.dir : place.db;
  const shown = shownPath(path, terminal.cwd);
  await checkPlace(place, shown, create);
  const log = openDecisionLog({ ...place, create });
  try {
    const options = { policies: decisionPoliciesOf(config), now: Date.now() };
    return await withTrace(config, terminal, (trace) =>
      work({ log, shown, flag, options: { ...options, trace }, config }),
    );
  } catch (error) {
    throw withHints(error, {
      // One that is there and cannot be read is in no list.
      UNKNOWN_DECISION: ({ data }) =>
        data.unreadable === undefined ? `Their ids: agent-compact decisions list${flag}` : undefined,
      INVALID_PLAN: "Make the plan again with --plan-out FILE, and change nothing in it.",
      INVALID_CURSOR: "Give --cursor as the last page named it, with the same other flags, or leave it out.",
    });
  } finally {
    await log.close();
  }
}

/** Flags before configuration before what is found: `./decisions` where that folder is, else the database at home. */
export async function decisionPlace(
  flags: DecisionFlags,
  configured: { readonly dir?: string | undefined; readonly db?: string | undefined } | undefined,
  terminal: Terminal,
): Promise<DecisionPlace> {
  if (flags.decisions !== undefined && flags.db !== undefined)
    throw badFlag(
      "--decisions and --db both name a decision log: choose one.",
      "A folder of YAML files, or a database.",
    );
  if (flags.db !== undefined) return { db: databasePath(flags.db, terminal), isNamed: true };
  if (flags.decisions !== undefined) return { dir: folderPath(flags.decisions, terminal), isNamed: true };
  if (configured?.dir !== undefined) return { dir: folderPath(configured.dir, terminal), isNamed: true };
  if (configured?.db !== undefined) return { db: databasePath(configured.db, terminal), isNamed: true };
  const beside = resolve(terminal.cwd, DEFAULT_DECISION_FOLDER);
  if ((await kindAt(beside)) === "folder") return { dir: beside, isNamed: false };
  return { db: databasePath(DEFAULT_DECISION_DATABASE, terminal), isNamed: false };
}

function folderPath(named: string, { cwd, env }: Terminal): string {
  return named.startsWith("~/") ? join(env.HOME ?? homedir(), named.slice(2)) : resolve(cwd, named);
}

function flagOf({ decisions, db }: DecisionFlags): string {
  if (decisions !== undefined) return ` --decisions ${shellWord(decisions)}`;
  return db === undefined ? "" : ` --db ${shellWord(db)}`;
}

async function checkPlace(place: DecisionPlace, shown: string, create: boolean): Promise<void> {
  if ("db" in place) {
    const kind = await kindAt(place.db);
    if (kind === "folder")
      throw badInput(
        "IS_A_DIRECTORY",
        `${shown} is a directory.`,
        `Give it as a folder of records: --decisions ${shellWord(shown)}.`,
      );
    if (kind === "nothing" && !create) throw noLog(shown, place.isNamed ? ` --db ${shellWord(shown)}` : "");
    return;
  }
  const kind = await kindAt(place.dir);
  if (kind === "file") throw noFolder(shown);
  if (create && place.isNamed) return;
  if (kind === "nothing" && !create) throw noLog(shown, ` --decisions ${shellWord(shown)}`);
  if (kind === "folder" && (await holdsOnlyMarkdown(place.dir))) throw markdownOnly(shown);
}

/** Throws `InvalidInput` for a file in place of the folder: a server's calls could only fail. */
export async function refuseFile(place: DecisionPlace, { cwd }: Terminal): Promise<void> {
  if ("dir" in place && (await kindAt(place.dir)) === "file") throw noFolder(shownPath(place.dir, cwd));
}

/** What a server says of a log that is not there yet: it may be a path that was mistyped. Undefined where one is. */
export async function newLogNote(place: DecisionPlace, { cwd }: Terminal): Promise<string | undefined> {
  const path = "dir" in place ? place.dir : place.db;
  if ((await kindAt(path)) !== "nothing") return undefined;
  const when = "dir" in place ? ", and its folder is made at the first record or cycle" : "";
  return `There was nothing at ${shownPath(path, cwd)}: the decision log is new${when}`;
}

/** A folder of ADRs is no log, but what a log can be made from. Looks at a few thousand names at most. */
async function holdsOnlyMarkdown(folder: string): Promise<boolean> {
  let hasMarkdown = false;
  let left = MOST_NAMES;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && left > 0; at = folders.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      left -= 1;
      if (entry.isDirectory()) folders.push(join(at, entry.name));
      else if (/\.ya?ml$/i.test(entry.name)) return false;
      else if (/\.md$/i.test(entry.name)) hasMarkdown = true;
    }
  }
  return hasMarkdown && left > 0;
}

const MOST_NAMES = 5000;

function noLog(shown: string, flag: string): CompactError {
  return new CompactError("NotFound", `There is no decision log at ${shown}.`, {
    code: "LOG_NOT_FOUND",
    hint:
      `Begin one: agent-compact decisions record "Use X for Y" --category architecture --confidence 0.8${flag}, ` +
      `or take over what you have: agent-compact decisions import FILE...${flag}`,
  });
}

function noFolder(shown: string): CompactError {
  return badInput(
    "NOT_A_DIRECTORY",
    `${shown} is a file, and --decisions takes a folder.`,
    `If it is a database: --db ${shellWord(shown)}. To take its records over: agent-compact decisions import ${shellWord(shown)}`,
  );
}

function markdownOnly(shown: string): CompactError {
  return new CompactError("NotFound", `${shown} holds Markdown files and no decision records.`, {
    code: "LOG_NOT_FOUND",
    hint: `Take them over into a database; the files stay as they are: agent-compact decisions import ${shellWord(shown)} --db decisions.db. Then add --db decisions.db to each command.`,
  });
}

/** Empty where some decision has it, where none was asked for, and in an empty log. */
export async function unknownCategory(
  log: DecisionLog,
  category: string | undefined,
  options: DecisionOptions,
): Promise<string> {
  const known = await otherCategories(log, category, options);
  return category === undefined || known.length === 0
    ? ""
    : unknownName({ what: "decision has the category", asked: category, known });
}
