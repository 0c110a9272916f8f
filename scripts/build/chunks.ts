// A step of the build: what is loaded together stands in one file. Left alone the bundler makes a file of each part that two
// entries share, and opening sixty files costs as much as what is in them.
import { resolve } from "node:path";
import type { ChunkingContext } from "rolldown";

/** A file of the build: all modules that its entries load at once, but for those of a chunk before it. */
export interface Chunk {
  readonly name: string;
  /** Sources, from the folder that is built. */
  readonly entries: readonly string[];
  /** Holds no more than what this source loads, too. */
  readonly within?: string;
  /** Holds these packages, and nothing of ours. A package that no chunk names is left to the bundler. */
  readonly packages?: RegExp;
}

/** The name of the chunk that a module belongs to, for the bundler's groups; null leaves it to the bundler. */
export function chunkNames(chunks: readonly Chunk[]): (id: string, context: ChunkingContext) => string | null {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, context) => {
    names ??= namesOf(chunks, context);
    return names.get(id) ?? null;
  };
}

function namesOf(chunks: readonly Chunk[], context: ChunkingContext): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, entries, within, packages } of chunks) {
    const allowed = within === undefined ? undefined : loadedBy(within, context);
    const mayHold = (id: string) => (allowed?.has(id) ?? true) && (packages?.test(id) ?? !id.includes("node_modules"));
    for (const entry of entries)
      for (const id of loadedBy(entry, context)) if (!names.has(id) && mayHold(id)) names.set(id, name);
  }
  return names;
}

/** Itself and what it imports, and so on, but for what is imported when it is needed. */
function loadedBy(entry: string, context: ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [resolve(entry)];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
