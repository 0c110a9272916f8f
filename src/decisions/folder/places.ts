// Where things are in a folder of decisions, and the parts of Node that look there, loaded when a folder is first used.

export interface Node {
  readonly fs: typeof import("node:fs");
  readonly path: typeof import("node:path");
}

export interface Folder extends Node {
  readonly root: string;
  /** Beside the records, in `.agent-compact`: what is no record and can be made again. */
  readonly aside: (name: string) => string;
  /** The file of a record; its name has slashes on every system. */
  readonly file: (name: string) => string;
}

export async function openFolder(path: string): Promise<Folder> {
  const [fs, nodePath] = await Promise.all([import("node:fs"), import("node:path")]);
  const root = nodePath.resolve(path);
  return {
    fs,
    path: nodePath,
    root,
    aside: (name) => nodePath.join(root, ".agent-compact", name),
    file: (name) => nodePath.join(root, ...name.split("/")),
  };
}

const SLICE_MS = 10;

/** Lets others run whenever so much time has passed since it last did. */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
