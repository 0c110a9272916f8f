// Gets the bytes of an input: a file or stdin, unpacked when it is gzip by its first bytes, whatever its name.
// Refuses what can only be a mistake (a folder, nothing, more than one string can hold) before reading it.
import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CompactError } from "../../errors.ts";
import { errorCode } from "../../storage/files.ts";
import { figure } from "../../text/figures.ts";
import { FILE_LIMITS, refuseExcess } from "../../text/parse-json.ts";
import { badInput } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

/** The longest text that Node holds in one string, rounded down. */
export const MOST_BYTES = 512 * 1024 * 1024 - 1024;

/** What to do about a file that cannot be used, by what was asked for. */
interface InputHints {
  readonly empty: string;
  readonly tooLarge: string;
}

const CONVERSATION_HINTS: InputHints = {
  empty: "Give a file that holds a conversation.",
  tooLarge: "Split it: one session a file.",
};

interface InputBytes {
  /** For messages: the path as it was given, or `stdin`. */
  readonly label: string;
  /** Absolute; undefined for stdin. */
  readonly path: string | undefined;
  /** Permission bits of the file, so that what is made from it is as private. */
  readonly mode: number | undefined;
  readonly bytes: Buffer;
  readonly isPacked: boolean;
}

export async function readBytes(
  file: string,
  terminal: Terminal,
  mostBytes = MOST_BYTES,
  hints = CONVERSATION_HINTS,
): Promise<InputBytes> {
  const limit: Limit = { mostBytes, hint: hints.tooLarge };
  const source = file === "-" ? await readStdin(terminal, limit) : await readRegularFile(file, terminal.cwd, limit);
  if (source.bytes.length === 0) throw badInput("EMPTY_INPUT", `${source.label} is empty.`, hints.empty);
  const isPacked = source.bytes[0] === 0x1f && source.bytes[1] === 0x8b;
  if (!isPacked) return { ...source, isPacked };
  const bytes = await unpack(source.bytes, source.label, limit);
  if (bytes.length === 0) throw badInput("EMPTY_INPUT", `${source.label} is empty after unpacking.`, hints.empty);
  return { ...source, bytes, isPacked };
}

type Source = Omit<InputBytes, "isPacked">;

interface Limit {
  readonly mostBytes: number;
  readonly hint: string;
}

async function readRegularFile(file: string, cwd: string, limit: Limit): Promise<Source> {
  const path = resolve(cwd, file);
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw badInput("IS_A_DIRECTORY", `${file} is a directory.`, "Name a file in it.");
    if (found.size > limit.mostBytes) throw tooLarge(file, limit);
    return { label: file, path, mode: found.mode & 0o777, bytes: await readFile(path) };
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  if (CompactError.isInstance(error)) return error;
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new CompactError("NotFound", `${file} does not exist.`, {
      code: "FILE_NOT_FOUND",
      hint: "Check the path.",
      cause: error,
    });
  }
  if (code === "ENAMETOOLONG" || code === "ERR_INVALID_ARG_VALUE")
    return badInput("BAD_PATH", "The path is no path a file can have.", "Check the path.");
  return badInput("UNREADABLE", `${file} cannot be read (${code ?? "unknown reason"}).`, "Check that you may read it.");
}

async function readStdin({ stdin }: Terminal, limit: Limit): Promise<Source> {
  if (stdin.isTTY === true)
    throw badInput("NO_STDIN", "Nothing is piped into stdin.", "Pipe a file in, or name it instead of -.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes =
      typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    size += bytes.length;
    if (size > limit.mostBytes) throw tooLarge("stdin", limit);
    chunks.push(bytes);
  }
  return { label: "stdin", path: undefined, mode: undefined, bytes: Buffer.concat(chunks) };
}

/** Times its size that a packed file may become, where that is more than `ALWAYS_UNPACKED`. Sessions become 3 to 20 times theirs. */
const MOST_RATIO = 200;
const ALWAYS_UNPACKED = 64 * 1024 * 1024;

async function unpack(bytes: Buffer, label: string, limit: Limit): Promise<Buffer> {
  const most = Math.min(limit.mostBytes, Math.max(ALWAYS_UNPACKED, bytes.length * MOST_RATIO));
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ERR_BUFFER_TOO_LARGE" && most < limit.mostBytes)
      throw badInput(
        "TOO_PACKED",
        `${label} unpacks to more than ${MOST_RATIO} times its size.`,
        "If you know what it is, unpack it first: gunzip -k FILE.",
      );
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(`${label}, unpacked,`, limit);
    if (code === "Z_BUF_ERROR")
      throw badInput(
        "TRUNCATED_GZIP",
        `${label} is a gzip file that ends too early.`,
        "Copy or download it again: its end is missing.",
      );
    throw badInput("DAMAGED_GZIP", `${label} is a damaged gzip file.`, "Copy or download it again.");
  }
}

function tooLarge(label: string, { mostBytes, hint }: Limit): CompactError {
  const megabytes = figure(Math.floor(mostBytes / 1_000_000));
  return badInput("TOO_LARGE", `${label} is larger than ${megabytes} MB.`, hint);
}

// Bytes to text. Only UTF-8 is read; anything else is refused by name, because a wrong guess would change the
// conversation.

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const DATABASE_MARK = Buffer.from("SQLite format 3\0", "latin1");
/** Enough of a file to tell text from a program or an image. */
const SAMPLE = 4096;

export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  /** Bytes before the text: 3 with a byte order mark, else 0. Add it to turn a place in the text into one in the file. */
  readonly skipped: number;
}

/** `readable`: what may be given instead of what is no text. */
export function decodeText(bytes: Buffer, label: string, readable = "a JSON or JSONL file"): DecodedText {
  const packed = compressedKind(bytes);
  if (packed !== undefined)
    throw badInput(
      "PACKED_INPUT",
      `${label} ${packed}.`,
      `Unpack it first, then give ${readable}, plain or packed with gzip.`,
    );
  if (bytes.subarray(0, DATABASE_MARK.length).equals(DATABASE_MARK))
    throw badInput(
      "DATABASE_INPUT",
      `${label} is an SQLite database.`,
      `The commands of observations and decisions open one with --db; give ${readable} here.`,
    );
  if (isUtf16(bytes))
    throw badInput("UTF_16", `${label} is UTF-16 text.`, "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8.");
  if (bytes.includes(0))
    throw badInput(
      "BINARY_INPUT",
      `${label} is not text: it holds NUL bytes.`,
      `Give ${readable}, plain or packed with gzip.`,
    );
  const skipped = bytes.subarray(0, 3).equals(UTF8_MARK) ? 3 : 0;
  const content = bytes.subarray(skipped);
  if (isUtf8(content)) {
    const text = content.toString("utf8");
    refuseExcess(text, FILE_LIMITS, label);
    return { text, skipped };
  }
  const place = figure(skipped + firstFault(content));
  throw badInput(
    "INVALID_UTF_8",
    `${label} is not valid UTF-8: the fault is at byte ${place}.`,
    "Convert it to UTF-8, or remove the broken bytes.",
  );
}

/** By its mark, or by its pattern: JSON begins with ASCII, so every second byte of the start is NUL. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const sample = bytes.subarray(0, SAMPLE);
  const nuls = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  return sample.length >= 4 && Math.max(even, odd) > sample.length * 0.3 && Math.min(even, odd) < sample.length * 0.05;
}

/** Offset of the first byte that UTF-8 cannot have there. Halves the range: a valid start of any length is valid when its last character is whole. */
function firstFault(bytes: Buffer): number {
  let valid = 0;
  let end = bytes.length;
  while (end - valid > 1) {
    const middle = valid + Math.ceil((end - valid) / 2);
    const cut = wholeCharacters(bytes, valid, middle);
    if (cut > valid && isUtf8(bytes.subarray(valid, cut))) valid = cut;
    else if (cut > valid) end = cut;
    else break;
  }
  return valid;
}

/** The largest position up to `end` that does not stand inside a character. */
function wholeCharacters(bytes: Buffer, start: number, end: number): number {
  let cut = end;
  while (cut > start && cut > end - 4 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}

// Archives and packed files by the bytes that each kind begins with: what is in them may be text, so "not text" helps nobody.
// gzip is not among them; it is unpacked before.

interface Kind {
  readonly said: string;
  readonly at?: number;
  readonly begins: readonly number[];
}

/** Any byte. */
const ANY = -1;
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

const KINDS: readonly Kind[] = [
  { said: "is an archive (zip)", begins: [...ascii("PK"), 3, 4] },
  { said: "is an archive (zip)", begins: [...ascii("PK"), 5, 6] },
  { said: "is an archive (tar)", at: 257, begins: ascii("ustar") },
  { said: "is an archive (7z)", begins: [...ascii("7z"), 0xbc, 0xaf, 0x27, 0x1c] },
  { said: "is an archive (rar)", begins: [...ascii("Rar!"), 0x1a, 7] },
  { said: "is packed with xz", begins: [0xfd, ...ascii("7zXZ"), 0] },
  { said: "is packed with zstd", begins: [0x28, 0xb5, 0x2f, 0xfd] },
  { said: "is packed with bzip2", begins: [...ascii("BZh"), ANY, 0x31, 0x41, 0x59, 0x26] },
];
/** Completes a sentence that begins with the file's name; undefined for what is none of them. */
function compressedKind(bytes: Uint8Array): string | undefined {
  return KINDS.find(({ at = 0, begins }) => begins.every((byte, index) => byte === ANY || bytes[at + index] === byte))
    ?.said;
}

const REMEDY = "Make the plan with --plan-out FILE.";

/** `narrower`: a flag that makes a smaller plan. Throws as `readPlan` does, and `InvalidInput` (`INVALID_PLAN`) for what is no JSON. */
export async function readPlanFile<Plan>(
  file: string,
  readPlan: (value: unknown) => Plan,
  narrower: string,
  terminal: Terminal,
): Promise<Plan> {
  const { bytes, label } = await readBytes(file, terminal, undefined, {
    empty: REMEDY,
    tooLarge: `Make a plan of a part: name a ${narrower}.`,
  });
  const { text } = decodeText(bytes, label, "a plan in JSON");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CompactError("InvalidInput", `${label} is not JSON.`, { code: "INVALID_PLAN", hint: REMEDY, cause });
  }
  return readPlan(value);
}
