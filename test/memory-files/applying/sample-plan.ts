// Plans made by hand, of real files: what a change is about is said in lines, counted from 1, the last one included.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { applyMemoryFilesCompaction } from "../../../src/memory-files/apply-memory-files-compaction.ts";
import {
  type MemoryFilesPlan,
  type PlannedChange,
  type PlannedDigest,
  type PlannedEdit,
  type PlannedRange,
  type PlannedRotation,
  sealPlan,
} from "../../../src/memory-files/plan.ts";
import { sha256OfBytes } from "../../../src/storage/sha256.ts";

export const NOW = Date.UTC(2031, 5, 15, 12);
export const options = { now: NOW, count: (text: string) => Math.ceil(text.length / 4) };

export type Lines = readonly [from: number, to: number, heading?: string, insert?: string];

export function planOf(root: string, ...changes: readonly PlannedChange[]): MemoryFilesPlan {
  return sealPlan({
    created_at: "2031-06-15T12:00:00.000Z",
    workspace: root,
    options: { aggressive: false, max_memory_kb: 15 },
    changes,
    held: [],
    memory_size_before: 0,
    memory_size_after: 0,
    over_limit_bytes: 0,
    totals: { changes: 0, files: 0, bytes_before: 0, bytes_after: 0, tokens_before: 0, tokens_after: 0 },
  });
}

export function apply(root: string, ...changes: readonly PlannedChange[]) {
  return applyMemoryFilesCompaction(root, planOf(root, ...changes), options);
}

const base = {
  apply: true,
  reason: "It is a test.",
  bytes_before: 1,
  bytes_after: 1,
  tokens_before: 8,
  tokens_after: 2,
};

/** Rests on MEMORY.md too, as removals do. */
export function removal(root: string, id: number, file: string, ...lines: readonly Lines[]): PlannedEdit {
  return {
    ...base,
    id,
    kind: "remove_sections",
    file,
    ranges: rangesOf(root, file, lines),
    rests_on: hashes(root, file, "MEMORY.md"),
  };
}

export function tidy(root: string, id: number, file: string, ...lines: readonly Lines[]): PlannedEdit {
  return { ...base, id, kind: "tidy", file, ranges: rangesOf(root, file, lines), rests_on: hashes(root, file) };
}

export const MOVED = "memory/archive/MEMORY.2031-06-15.md";

export function moving(root: string, id: number, file: string, ...lines: readonly Lines[]): PlannedEdit {
  const ranges = rangesOf(root, file, lines);
  return { ...base, id, kind: "move_sections", file, ranges, moved_to: MOVED, rests_on: hashes(root, file) };
}

export function rotation(root: string, id: number, file: string): PlannedRotation {
  const archive = `memory/archive/${file.replace(/^.*\//, "").replace(/\.md$/, ".full.md")}`;
  return { ...base, id, kind: "rotate", file, archive, rests_on: hashes(root, file) };
}

export function digest(root: string, id: number, month: string, ...notes: readonly string[]): PlannedDigest {
  const file = `memory/${month}.md`;
  const text = `# ${month}\n\nA digest.\n`;
  return {
    ...base,
    id,
    kind: "digest",
    month,
    file,
    text,
    source: "extractive",
    notes,
    rests_on: hashes(root, ...notes),
  };
}

function hashes(root: string, ...files: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map((file) => [file, sha256OfBytes(readFileSync(join(root, file)))]));
}

export function rangesOf(root: string, file: string, lines: readonly Lines[]): readonly PlannedRange[] {
  const bytes = readFileSync(join(root, file));
  const starts = startsOf(bytes);
  const at = (line: number) => starts[line - 1] ?? bytes.length;
  return lines.map(([line_from, line_to, heading, insert]) => ({
    byte_from: at(line_from),
    byte_to: at(line_to + 1),
    line_from,
    line_to,
    preview: "",
    ...(heading === undefined ? {} : { heading }),
    ...(insert === undefined ? {} : { insert }),
  }));
}

function startsOf(bytes: Uint8Array): readonly number[] {
  const starts = [bytes[0] === 0xef ? 3 : 0];
  for (const [index, byte] of bytes.entries()) {
    const isEnd = byte === 0x0a || (byte === 0x0d && bytes[index + 1] !== 0x0a);
    if (isEnd && index + 1 < bytes.length) starts.push(index + 1);
  }
  return starts;
}

/** Every file by its name, its bytes one character each; of a link, what it says. The lock's own files are left out. */
export function filesOf(root: string): Readonly<Record<string, string>> {
  const files: [string, string][] = [];
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (entry.isSymbolicLink()) files.push([name, `-> ${readlinkSync(path)}`]);
    else if (entry.isFile() && name !== "memory/archive/journal/writer")
      files.push([name, readFileSync(path, "latin1")]);
  }
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Those that are no part of the archive. */
export function liveFiles(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(filesOf(root)).filter(([name]) => !name.startsWith("memory/archive/")));
}

export function modeOf(root: string, file: string): number {
  return lstatSync(join(root, file)).mode & 0o777;
}

export function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}
