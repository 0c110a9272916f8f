// Which folder a call is about: the server's workspace or one inside it, links followed. A model must not choose any other
// of this machine.
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { CompactError } from "../../../errors.ts";
import type { ToolContext } from "../../tool.ts";
import type { MemoryFilesContext } from "./memory-files-context.ts";

const AUTO = "auto";

/** Throws `NotFound` in a server without a workspace. */
export function memoryFilesOf({ memoryFiles }: ToolContext): MemoryFilesContext {
  if (memoryFiles !== undefined) return memoryFiles;
  throw new CompactError("NotFound", "This server has no workspace of memory files.", {
    code: "WORKSPACE_NOT_FOUND",
    hint: "Start it with --workspace DIR, or set memory_files.workspace in its configuration.",
  });
}

/**
 * Absolute path of the folder. A relative one is from the server's workspace.
 * @throws InvalidInput (`OUTSIDE_WORKSPACE`), whether or not such a folder exists; NotFound.
 */
export async function workspaceOf(named: string | undefined, { root }: MemoryFilesContext): Promise<string> {
  const name = named?.trim() ?? "";
  if (name === "" || name === AUTO) return root;
  const path = resolve(root, name);
  const own = await realpath(root).catch(() => root);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && isInside(own, real)) return real;
  if (real === undefined && (isInside(own, path) || isInside(root, path)))
    throw new CompactError("NotFound", "There is no such folder in the server's workspace.", {
      code: "WORKSPACE_NOT_FOUND",
      hint: `Leave workspace out, or send "${AUTO}", for the workspace itself.`,
    });
  throw new CompactError("InvalidInput", "'workspace' is not the server's workspace, nor a folder in it.", {
    code: "OUTSIDE_WORKSPACE",
    hint: `Send "${AUTO}" for ${root}, or a folder in it. Another one needs a server of its own: agent-compact mcp --workspace DIR.`,
  });
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
