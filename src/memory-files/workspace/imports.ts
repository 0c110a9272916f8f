// Reads the files that memory files take in, and those that these take in. Nothing outside the workspace is looked at.
import type { Block } from "../../text/markdown/outline.ts";
import { type MemoryFile, textOf, type UnreadFile } from "../workspace.ts";
import { type Claims, locate, outside, type Place, readPlace, unreadable } from "./places.ts";
import { isWithin, nameOf, type Root } from "./root.ts";

/** As programs that read them follow them. */
const DEEPEST = 5;

/** In the order in which they are named, each followed by its own. What is taken in is claimed. */
export async function takeInImports(
  root: Root,
  memory: readonly MemoryFile[],
  claims: Claims,
  onUnread: (unread: UnreadFile) => void,
): Promise<readonly MemoryFile[]> {
  const imported: MemoryFile[] = [];
  const follow = async (from: MemoryFile, depth: number): Promise<void> => {
    if (depth > DEEPEST) return;
    for (const written of listImports(from)) {
      const file = await takeIn(root, from.file, written, claims, onUnread);
      if (file === undefined) continue;
      imported.push(file);
      await follow(file, depth + 1);
    }
  };
  for (const file of memory) await follow(file, 1);
  return imported;
}

async function takeIn(
  root: Root,
  from: string,
  written: string,
  claims: Claims,
  onUnread: (unread: UnreadFile) => void,
): Promise<MemoryFile | undefined> {
  if (hasExtension(written) && !isTextName(written)) return undefined;
  const place = await locateImport(root, from, written);
  const claimed = place === undefined ? undefined : claims.claim(place);
  if (claimed === undefined) return undefined;
  const read = "code" in claimed ? claimed : await readPlace(root, claimed);
  if (!("code" in read)) return read;
  // What has no ending was perhaps no path: `@name`, a folder, `@/components` in code.
  if (isTextName(written) || written.startsWith("~/")) onUnread(read);
  return undefined;
}

async function locateImport(root: Root, from: string, written: string): Promise<Place | UnreadFile> {
  const file = nameOfImport(root, from, written);
  if (file === undefined) return outside(written, `${from} takes it in from outside the workspace.`);
  return (await locate(root, file)) ?? unreadable(file, `${from} takes it in, but it is not there.`);
}

/** Relative to the file that names it. Undefined where it is outside. */
function nameOfImport(root: Root, from: string, written: string): string | undefined {
  if (written.startsWith("~")) return undefined;
  const absolute = root.path.resolve(root.path.dirname(root.absolute(from)), written);
  const file = isWithin(root, root.real, absolute) ? nameOf(root, absolute) : "";
  return file === "" ? undefined : file;
}

// Which files a memory file takes in: `@path` in its prose, as CLAUDE.md has them. Code, comments and what only looks like it
// (mail addresses, people, packages) are left out; whether a file is there is not asked.

const NO_PROSE = new Set<Block["kind"]>(["code", "front_matter", "rule", "definition"]);
/** Blanks in names are written `\ `. Chinese marks end a name, since no blank follows them. */
const IMPORT = /(?:^|\s)@((?:\\ |[^\s\\`，。；：、！？（）【】《》「」“”]){1,1024})/gu;
/** They belong to the sentence. */
const ENDING = /[.,;:!?)\]}'"*_>]{1,20}$/;
const BEGINNING = /^[\p{L}\p{N}._~/-]/u;
const TEXT_NAME = /\.(?:md|markdown|mdx|mdc|txt|text)$/i;

/** As written, without marks of the sentence around them and `#` parts; each once. */
function listImports(file: MemoryFile): readonly string[] {
  const found = file.outline.blocks
    .filter(({ kind }) => !NO_PROSE.has(kind))
    .map(({ from, to }) => textOf(file, from, to))
    .filter((text) => !/^\s{0,200}<!--/.test(text))
    .flatMap((text) => [...withoutCode(text).matchAll(IMPORT)].map(([, written = ""]) => clean(written)));
  return [...new Set(found.filter((written) => BEGINNING.test(written)))];
}

/** Only these are missed where they are not there; `@name` alone is more often a person. */
function isTextName(path: string): boolean {
  return TEXT_NAME.test(path);
}

/** Of its last part; `.env` has none. */
function hasExtension(path: string): boolean {
  return /[^/\\]\.[^./\\]{1,100}$/.test(path);
}

function clean(written: string): string {
  const [path = ""] = written.split("#");
  return path.replace(ENDING, "").replaceAll("\\ ", " ");
}

/** Code spans as blanks: from a run of backticks to the next of the same length. */
function withoutCode(text: string): string {
  const runs = [...text.matchAll(/`{1,1000}/g)].map(({ 0: run, index }) => ({ length: run.length, index }));
  const closing = closingRuns(runs);
  const parts: string[] = [];
  let kept = 0;
  for (const [at, open] of runs.entries()) {
    const close = runs[closing[at] ?? -1];
    if (close === undefined || open.index < kept) continue;
    parts.push(text.slice(kept, open.index), "``");
    kept = close.index + close.length;
  }
  return parts.join("") + text.slice(kept);
}

/** For each run the next one of its length, from the back so that it takes one pass. */
function closingRuns(runs: readonly { readonly length: number }[]): readonly (number | undefined)[] {
  const next = new Map<number, number>();
  const closing: (number | undefined)[] = new Array(runs.length);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length = 0 } = runs[at] ?? {};
    closing[at] = next.get(length);
    next.set(length, at);
  }
  return closing;
}
