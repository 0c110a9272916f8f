// Claude Code's own memory of a project: an index, of which only a beginning is read at each start, and topic files behind it
// that are read when the index leads there. Only looked at: nothing here writes.
import { promises as fs } from "node:fs";
import { join } from "node:path";
import { fileFailure } from "../storage/files.ts";
import { cutAtCodePoint } from "../text/quote.ts";
import { wordTokens } from "../text/words.ts";
import { PREVIEW_LENGTH } from "./analysis/section-report.ts";
import { readNamed } from "./workspace/places.ts";
import { folderOf, nameOf, openRoot } from "./workspace/root.ts";
import { ARCHIVE_FOLDER, type Count, type MemoryFile, type Root, textOf, type UnreadFile } from "./workspace.ts";

export const INDEX = "MEMORY.md";
/** What Claude Code reads of the index at the start of a session: whichever ends first, at the end of a line. */
export const INDEX_LIMIT = { lines: 200, bytes: 25_000 } as const;

export interface ClaudeMemory {
  /** Real path. */
  readonly folder: string;
  /** Null: topic files without an index, so none of it is read. */
  readonly index: { readonly lines: number; readonly bytes: number; readonly tokens: number } | null;
  /** Of the index, behind the limit; null where all of it is read. Lines counted from 1. */
  readonly beyond: {
    readonly line_from: number;
    readonly line_to: number;
    readonly bytes: number;
    /** Topic files to which only lines beyond lead: they are not found either. */
    readonly topics: readonly string[];
  } | null;
  readonly topics: readonly { readonly file: string; readonly bytes: number; readonly tokens: number }[];
  /** Topic files to which nothing leads. */
  readonly orphans: readonly string[];
  /** Topic files through which alone others are reached: two readings instead of one. */
  readonly sub_indexes: readonly { readonly file: string; readonly leads_to: readonly string[] }[];
  /** Links of the index to files that are not there. */
  readonly dead: readonly { readonly line: number; readonly target: string }[];
  /** Runs of lines of the index that say what a topic file says. The largest first. */
  readonly repeats: readonly RepeatedEntry[];
  readonly unread: readonly UnreadFile[];
}

export interface RepeatedEntry {
  readonly line_from: number;
  readonly line_to: number;
  readonly bytes: number;
  readonly topic: string;
  /** Of the first line, at most 120 characters. */
  readonly text: string;
}

/** Whether a folder lies where Claude Code keeps the memory of a project. */
export function isClaudeMemory(folder: string): boolean {
  return /[\\/]projects[\\/][^\\/]+[\\/]memory[\\/]?$/.test(folder);
}

/** @throws NotFound, InvalidInput, StoreFailed. */
export async function analyzeClaudeMemory(folder: string, count: Count): Promise<ClaudeMemory> {
  const root = await openRoot(folder);
  const { files, unread } = await readAll(root);
  const index = files.get(INDEX);
  const topics = [...files.values()].filter(({ file }) => file !== INDEX).sort((a, b) => (a.file < b.file ? -1 : 1));
  const end = index === undefined ? 0 : readLines(index);
  const links = new Map([...files.values()].map((file) => [file.file, linksOf(file, files)] as const));
  const own = links.get(INDEX) ?? [];
  const isTopic = (file: string) => file !== INDEX && files.has(file);
  const read = new Set(own.filter(({ line }) => line < end).map(({ target }) => target));
  const behind = new Set(own.map(({ target }) => target).filter((target) => isTopic(target) && !read.has(target)));
  const linked = new Set(own.map(({ target }) => target).filter(isTopic));
  const subIndexes = subIndexesOf(linked, links, isTopic);
  const reached = new Set([...linked, ...subIndexes.flatMap(({ leads_to }) => leads_to)]);
  return {
    folder: root.real,
    index:
      index === undefined
        ? null
        : { lines: index.lines.length, bytes: index.bytes.length, tokens: count(textOf(index)) },
    beyond:
      index === undefined || end >= index.lines.length
        ? null
        : {
            line_from: end + 1,
            line_to: index.lines.length,
            bytes: index.bytes.length - (index.lines[end]?.start ?? index.bytes.length),
            topics: [...behind].sort(),
          },
    topics: topics.map((topic) => ({ file: topic.file, bytes: topic.bytes.length, tokens: count(textOf(topic)) })),
    orphans: topics.map(({ file }) => file).filter((file) => !reached.has(file)),
    sub_indexes: subIndexes,
    dead: own.filter(({ target }) => !files.has(target)).map(({ line, target }) => ({ line: line + 1, target })),
    repeats: index === undefined ? [] : repeatsOf(index, topics),
    unread,
  };
}

const MOST_NAMED = 5;

/** What is wrong, a sentence each, for an agent to mend. */
export function claudeFindings({ beyond, repeats, dead, orphans, sub_indexes }: ClaudeMemory): readonly string[] {
  const named = (all: readonly string[]) =>
    all.slice(0, MOST_NAMED).join(", ") + (all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "");
  const said = (what: string, all: readonly string[]) => (all.length === 0 ? [] : [`${what}: ${named(all)}.`]);
  const { line_from, line_to, bytes, topics = [] } = beyond ?? {};
  return [
    ...(beyond === null
      ? []
      : [
          `Lines ${line_from}-${line_to} of the index (${bytes} bytes) are never read: a start reads ${INDEX_LIMIT.lines} lines or ${INDEX_LIMIT.bytes} bytes.`,
        ]),
    ...said("Topic files that only unread lines lead to", topics),
    ...said(
      "Entries of the index that a topic file says: leave a line for each",
      repeats.map(
        ({ line_from: from, line_to: to, topic }) =>
          `${from === to ? `line ${from}` : `lines ${from}-${to}`} (${topic})`,
      ),
    ),
    ...said(
      "Pointers to nothing",
      dead.map(({ line, target }) => `line ${line} (${target})`),
    ),
    ...said("Topic files that nothing leads to", orphans),
    ...said(
      "Topic files through which alone others are reached",
      sub_indexes.map(({ file }) => file),
    ),
  ];
}

/** How many lines of the index are read: blank ones at the end of the file weigh nothing. */
function readLines({ lines, bytes }: MemoryFile): number {
  const last = lines.findLastIndex(({ text }) => text.trim() !== "") + 1;
  const over = lines.findIndex(({ end }) => end - (lines[0]?.start ?? 0) > INDEX_LIMIT.bytes);
  const most = Math.min(INDEX_LIMIT.lines, over < 0 || bytes.length <= INDEX_LIMIT.bytes ? lines.length : over);
  return last <= most ? lines.length : most;
}

interface Link {
  /** Counted from 0. */
  readonly line: number;
  /** From the folder, parted by `/`. */
  readonly target: string;
}

const MARKDOWN_LINK = /\]\(<?([^()<>\s#]{1,300}?\.md)(?:#[^)\s>]{0,300})?>?\)/giu;
const WIKI_LINK = /\[\[([^\][|#]{1,200})/gu;
/** A name in the text: a link where such a file is there, else the name of some other file. */
const NAME = /[\p{L}\p{N}_][\p{L}\p{N}_./-]{0,200}\.md(?![\p{L}\p{N}])/giu;

/** In the order of the lines. Dead ones only where they are links of Markdown into the folder. */
function linksOf({ file, lines }: MemoryFile, files: ReadonlyMap<string, MemoryFile>): readonly Link[] {
  const folder = folderOf(file);
  return lines.flatMap(({ text }, line) => {
    const marked = [...text.matchAll(MARKDOWN_LINK)].flatMap(([, path = ""]) => within(folder, path) ?? []);
    const loose = [
      ...[...text.matchAll(WIKI_LINK)].map(([, name = ""]) => `${name.trim().replace(/\.md$/i, "")}.md`),
      ...(text.match(NAME) ?? []),
    ].flatMap(
      (path) => [within(folder, path), within("", path)].find((each) => each !== undefined && files.has(each)) ?? [],
    );
    return [...new Set([...marked, ...loose])].filter((target) => target !== file).map((target) => ({ line, target }));
  });
}

/** Undefined for what leads out of the folder, as an address does. */
function within(folder: string, path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[/~\\]/i.test(path)) return undefined;
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function subIndexesOf(
  linked: ReadonlySet<string>,
  links: ReadonlyMap<string, readonly Link[]>,
  isTopic: (file: string) => boolean,
): ClaudeMemory["sub_indexes"] {
  const reached = new Set(linked);
  const found: { file: string; leads_to: readonly string[] }[] = [];
  // Grows while it is gone through: what a sub-index leads to may be one.
  for (const file of reached) {
    const targets = new Set((links.get(file) ?? []).map(({ target }) => target));
    const leads = [...targets].filter((target) => isTopic(target) && !reached.has(target)).sort();
    if (leads.length > 0) found.push({ file, leads_to: leads });
    for (const target of leads) reached.add(target);
  }
  return found;
}

// What the index says though a topic file says it: lines that have hardly a word, and no figure, that the topic lacks.

/** A line of the index with fewer words tells too little to be compared. */
const LEAST_WORDS = 8;
/** Of the words of a line. */
const CONTAINED = 0.85;
/** As long may a pointer be, with a hook to know it by. */
const POINTER_BYTES = 200;

function repeatsOf(index: MemoryFile, topics: readonly MemoryFile[]): readonly RepeatedEntry[] {
  const known = topics.map((topic) => ({ file: topic.file, words: new Set(wordTokens(textOf(topic))) }));
  const found: RepeatedEntry[] = [];
  for (const [line, { text, start, end }] of index.lines.entries()) {
    const words = [...new Set(wordTokens(text.replace(MARKDOWN_LINK, "]")))];
    const isPointer = text.match(NAME) !== null && end - start <= POINTER_BYTES;
    if (words.length < LEAST_WORDS || isPointer) continue;
    const shares = known.map(({ file, words: said }) => {
      const lacking = words.filter((word) => !said.has(word));
      return { file, share: lacking.some((word) => /\p{N}/u.test(word)) ? 0 : 1 - lacking.length / words.length };
    });
    const [best] = shares.sort((a, b) => b.share - a.share);
    if (best === undefined || best.share < CONTAINED) continue;
    const last = found.at(-1);
    const isNext = last?.topic === best.file && last.line_to === line;
    if (isNext) found[found.length - 1] = { ...last, line_to: line + 1, bytes: last.bytes + end - start };
    else
      found.push({ line_from: line + 1, line_to: line + 1, bytes: end - start, topic: best.file, text: preview(text) });
  }
  return found.sort((a, b) => b.bytes - a.bytes || a.line_from - b.line_from);
}

function preview(text: string): string {
  return cutAtCodePoint(text.trim(), PREVIEW_LENGTH);
}

// The Markdown of the folder, links not followed: they may lead anywhere.

async function readAll(root: Root): Promise<{ files: Map<string, MemoryFile>; unread: UnreadFile[] }> {
  const entries = await fs.readdir(root.real, { withFileTypes: true, recursive: true }).catch((cause: unknown) => {
    throw fileFailure("StoreFailed", "read the memory", root.real, cause);
  });
  const files = new Map<string, MemoryFile>();
  const unread: UnreadFile[] = [];
  for (const entry of entries) {
    const name = nameOf(root, join(entry.parentPath, entry.name));
    const isHidden = name.split("/").some((part) => part.startsWith(".")) || name.startsWith(`${ARCHIVE_FOLDER}/`);
    if (isHidden || entry.isDirectory() || !/\.md$/i.test(name)) continue;
    const read = entry.isFile() ? await readNamed(root, name) : notFollowed(name);
    if ("code" in read) unread.push(read);
    else files.set(name, read);
  }
  return { files, unread };
}

function notFollowed(file: string): UnreadFile {
  return { file, code: "OUTSIDE_WORKSPACE", message: "It is a link, which is not followed." };
}
