// A step of the build: everything that an import of the root loads stands in one file beside it. Left alone the bundler
// makes a file of each part that two entries share, and opening sixty files costs as much as what is in them.
import { resolve } from "node:path";
import type { ChunkingContext } from "rolldown";

/** The name of the chunk that a module belongs to, for the bundler's groups; null leaves it to the bundler. */
export function rootChunk(
  root: string,
  apart: readonly string[],
): (id: string, context: ChunkingContext) => string | null {
  let members: ReadonlySet<string> | undefined;
  return (id, context) => {
    if (members === undefined) {
      const elsewhere = new Set(apart.flatMap((entry) => [...loadedBy(resolve(entry), context)]));
      const ours = [...loadedBy(resolve(root), context)].filter((module) => !module.includes("node_modules"));
      members = new Set(ours.filter((module) => !elsewhere.has(module)));
    }
    return members.has(id) ? "root" : null;
  };
}

/** Itself and what it imports, and so on, but for what is imported when it is needed. */
function loadedBy(entry: string, context: ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [entry];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
