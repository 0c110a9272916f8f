// A step of the build: everything that an import of the root loads stands in one file beside it. Left alone the bundler
// makes a file of each part that two entries share, and opening sixty files costs as much as what is in them.
import { resolve } from "node:path";
import type { ChunkingContext } from "rolldown";

/**
 * The name of the chunk that a module belongs to, for the bundler's groups; null leaves it to the bundler.
 * @param apart what else loads a part of the root, by the name of the chunk for that part; the first that loads a module has it.
 */
export function rootChunk(
  root: string,
  apart: Readonly<Record<string, readonly string[]>>,
): (id: string, context: ChunkingContext) => string | null {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, context) => {
    names ??= namesOf(root, apart, context);
    return names.get(id) ?? null;
  };
}

function namesOf(
  root: string,
  apart: Readonly<Record<string, readonly string[]>>,
  context: ChunkingContext,
): ReadonlyMap<string, string> {
  const loaded = (entry: string) => [...loadedBy(resolve(entry), context)].filter((id) => !id.includes("node_modules"));
  const ours = new Map(loaded(root).map((id) => [id, "root"]));
  for (const [name, entries] of Object.entries(apart).reverse())
    for (const id of entries.flatMap(loaded)) if (ours.has(id)) ours.set(id, name);
  return ours;
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
