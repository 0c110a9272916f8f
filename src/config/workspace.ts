// Where an agent's workspace is when nobody says: what the environment names, else the folders that agents use. Only finds
// it; nothing is made, and what a workspace holds is looked at elsewhere.
import { CompactError } from "../errors.ts";
import { openRoot } from "../memory-files/workspace/root.ts";
import type { Environment } from "./variables.ts";

/** As a workspace's name: what the environment names, else a known place. */
const AUTO_WORKSPACE = "auto";

/** The first that is set counts. */
const VARIABLES = ["MG_WORKSPACE", "OPENCLAW_WORKSPACE"] as const;
const FOLDERS = ["~/.openclaw/workspace", "~/workspace/agent/workspace"] as const;

interface WorkspaceSearch {
  /** Relative paths are from here. */
  readonly cwd: string;
  readonly environment?: Environment | undefined;
}

/**
 * Absolute path of an existing folder. `auto`, or nothing: the first place that is there; a variable
 * that is set wins even if its folder is missing, since another workspace is not the one that was meant.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`NOT_A_FOLDER`).
 */
export async function findWorkspace(
  named: string | undefined,
  { cwd, environment = globalThis.process?.env ?? {} }: WorkspaceSearch,
): Promise<string> {
  const { resolve } = await import("node:path");
  const { homedir } = await import("node:os");
  const home = homeOf(environment) ?? homedir();
  const absolute = (path: string) => resolve(cwd, inHome(path, home));
  if (named !== undefined && named.trim() !== AUTO_WORKSPACE) return existing(absolute(named));
  const [variable] = setVariables(environment);
  if (variable !== undefined) return existing(absolute(variable.value), variable.name);
  for (const folder of FOLDERS) {
    if (await isThere(absolute(folder))) return absolute(folder);
  }
  throw nothingFound();
}

function setVariables(environment: Environment) {
  return VARIABLES.flatMap((name) => {
    const value = environment[name]?.trim() ?? "";
    return value === "" ? [] : [{ name, value }];
  });
}

/** Undefined where the environment names none. */
export function homeOf({ HOME, USERPROFILE }: Environment): string | undefined {
  return [HOME, USERPROFILE].find((home) => home !== undefined && home !== "");
}

function inHome(path: string, home: string | undefined): string {
  if (home === undefined || (path !== "~" && !path.startsWith("~/"))) return path;
  return `${home}${path.slice(1)}`;
}

async function existing(path: string, variable?: string): Promise<string> {
  try {
    await openRoot(path);
    return path;
  } catch (error) {
    if (variable === undefined || !CompactError.isInstance(error)) throw error;
    const { kind, message, code, data } = error;
    throw new CompactError(kind, `${message} (from the environment variable ${variable})`, {
      code,
      hint: `Correct ${variable}, unset it, or name the workspace.`,
      data: { ...data, variable },
      cause: error,
    });
  }
}

function isThere(path: string): Promise<boolean> {
  return openRoot(path).then(
    () => true,
    () => false,
  );
}

function nothingFound(): CompactError {
  const looked = `${VARIABLES.join(" and ")} are not set, ${FOLDERS.join(" and ")} are not there`;
  return new CompactError("NotFound", `no workspace found: ${looked}`, {
    code: "WORKSPACE_NOT_FOUND",
    hint: "Name the folder that MEMORY.md stands in.",
    data: { variables: VARIABLES, folders: FOLDERS },
  });
}
