// Where a result goes: named by --out, or beside the input under a name of its own. Everything that can be found
// wrong with the place is found before any work is done.
import { constants } from "node:fs";
import { access, realpath, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { CompactError } from "../../errors.ts";
import { errorCode, type FileContent, fileFailure, writeFileAtomic } from "../../storage/files.ts";
import { badInput, type CommonFlags } from "../flags.ts";
import { printResult } from "../report.ts";
import type { Colors, OutputStream, Terminal } from "../terminal.ts";

export type OutputPlace =
  | { readonly kind: "stdout" }
  | { readonly kind: "file"; readonly path: string; readonly shown: string };

/** `talk.jsonl.gz` -> `talk`. */
export function plainName(file: string): string {
  return basename(file)
    .replace(/\.gz$/i, "")
    .replace(/\.jsonl?$/i, "");
}

interface PlaceInput {
  readonly cwd: string;
  readonly out: string | undefined;
  /** Absolute path of the input; undefined for stdin. */
  readonly input: string | undefined;
  readonly extension: ".json" | ".jsonl";
  /** What the result's name says of it: `talk.compacted.json`. */
  readonly ending?: string;
}

export function chooseOutput({ cwd, out, input, extension, ending = "compacted" }: PlaceInput): OutputPlace {
  if (out === "-") return { kind: "stdout" };
  if (out !== undefined) return { kind: "file", path: resolve(cwd, out), shown: out };
  const path =
    input === undefined
      ? join(cwd, `stdin.${ending}${extension}`)
      : join(dirname(input), `${plainName(input)}.${ending}${extension}`);
  return { kind: "file", path, shown: shownPath(path, cwd) };
}

/** A path as a person in `cwd` would type it. A URL is no path, and stays as it is. */
export function shownPath(path: string, cwd: string): string {
  if (/^[a-z][a-z\d+.-]{1,20}:\/\//i.test(path)) return path;
  const short = relative(cwd, path);
  return short === "" ? "." : short.startsWith("..") ? path : short;
}

interface PlaceRules {
  /** A file that is never overwritten. */
  readonly kept?: string | undefined;
  /** What that file is, in a sentence. */
  readonly keptAs?: string;
  /** A folder of ours. */
  readonly closed?: string | undefined;
  /** What named the place. */
  readonly flag?: string;
}

/** Throws `InvalidInput` when the result would overwrite `kept` or lie in `closed`, `NotFound` when it has no folder to lie in. */
export async function checkOutput(
  place: OutputPlace,
  { kept, keptAs = "the input itself", closed, flag = "--out" }: PlaceRules,
): Promise<void> {
  if (place.kind === "stdout") return;
  const { path, shown } = place;
  if (kept !== undefined && (await isSameFile(path, kept))) {
    throw badInput(
      "OUTPUT_IS_INPUT",
      `${shown} is ${keptAs}; it is never overwritten.`,
      `Choose another name for ${flag}.`,
    );
  }
  if (closed !== undefined && !relative(closed, path).startsWith("..")) {
    throw badInput("OUTPUT_IN_ARCHIVE", `${shown} lies in the archive.`, `Choose a place outside of it for ${flag}.`);
  }
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory())
    throw badInput("IS_A_DIRECTORY", `${shown} is a directory.`, `Give ${flag} the name of a file.`);
  if (found !== undefined && !found.isFile()) return;
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (folder?.isDirectory() !== true) throw noFolder(dirname(path), flag);
  await access(dirname(path), constants.W_OK).catch((error: unknown) => {
    throw fileFailure("StoreFailed", "write the result", shown, error);
  });
}

/** True when a file of that name is there, so that writing replaces it. */
export async function isThere(place: OutputPlace): Promise<boolean> {
  if (place.kind === "stdout") return false;
  return (await stat(place.path).catch(() => undefined))?.isFile() === true;
}

function noFolder(folder: string, flag: string): CompactError {
  return new CompactError("NotFound", `The folder ${folder} does not exist.`, {
    code: "FOLDER_NOT_FOUND",
    hint: `Create it, or choose another place with ${flag}.`,
  });
}

/** Also through links, and by another spelling of the same name. */
async function isSameFile(left: string, right: string): Promise<boolean> {
  if (left === right) return true;
  try {
    const [a, b] = await Promise.all([stat(left), stat(right)]);
    return (a.ino === b.ino && a.dev === b.dev && a.ino !== 0) || (await realpath(left)) === (await realpath(right));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

// Writes a result as a whole, or to stdout. A file whose name ends in .gz is packed as its name says.

/** Only the owner reads what was typed into a pipe; a file made from another is as open as that one, and never read-only. */
const PRIVATE = 0o600;

export async function writeOutput(
  place: OutputPlace,
  content: FileContent,
  terminal: Terminal,
  mode = PRIVATE,
): Promise<void> {
  if (place.kind === "stdout") {
    for await (const piece of piecesOf(content))
      terminal.stdout.write(typeof piece === "string" ? Buffer.from(piece) : piece);
    return;
  }
  try {
    const written = /\.gz$/i.test(place.path) ? packed(content) : content;
    if (await isDevice(place.path)) await writeFile(place.path, written);
    else await writeFileAtomic(place.path, written, { mode: mode | PRIVATE });
  } catch (error) {
    throw fileFailure("StoreFailed", "write the result", place.shown, error);
  }
}

/** A pipe or a device (`/dev/null`) is written to; replacing it by a file would break it for everybody. */
async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

function piecesOf(content: FileContent) {
  return typeof content === "string" || content instanceof Uint8Array ? [content] : content;
}

function packed(content: FileContent): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  // A failure before it is reported to those who read from it.
  pipeline(Readable.from(piecesOf(content)), gzip, () => undefined);
  return gzip;
}

/** Of a result that was written: with --quiet its path alone; else on stderr where stdout carries the result. */
export function reportWritten(
  place: OutputPlace,
  value: object,
  render: (colors: Colors, stream: OutputStream) => string,
  flags: CommonFlags,
  terminal: Terminal,
): void {
  const { stdout, stderr } = terminal;
  const stream = place.kind === "stdout" && flags.json !== true ? stderr : stdout;
  if (flags.quiet !== true || flags.json === true)
    printResult(value, (colors) => render(colors, stream), flags, { ...terminal, stdout: stream });
  else if (place.kind === "file") stdout.write(`${place.shown}\n`);
}

interface PlanOutput {
  /** `-` for stdout. */
  readonly out: string;
  readonly plan: object;
  /** What it never overwrites: the store or the files that it is a plan for. */
  readonly kept: readonly Pick<PlaceRules, "kept" | "keptAs" | "closed">[];
  /** Of the plan, for `--json`, beside the path. */
  readonly figures: object;
  readonly render: (shown: string, colors: Colors) => string;
}

export async function writePlan(
  { out, plan, kept, figures, render }: PlanOutput,
  flags: CommonFlags,
  terminal: Terminal,
): Promise<void> {
  const place = chooseOutput({ cwd: terminal.cwd, out, input: undefined, extension: ".json" });
  for (const rules of kept) await checkOutput(place, { ...rules, flag: "--plan-out" });
  await writeOutput(place, `${JSON.stringify(plan, undefined, 2)}\n`, terminal);
  if (place.kind === "stdout") return;
  reportWritten(place, { plan: place.path, ...figures }, (colors) => render(place.shown, colors), flags, terminal);
}
