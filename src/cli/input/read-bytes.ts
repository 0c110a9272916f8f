// Gets the bytes of an input: a file or stdin, unpacked when it is gzip by its first bytes, whatever its name.
// Refuses what can only be a mistake (a folder, nothing, more than one string can hold) before reading it.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CompactError } from "../../errors.ts";
import { errorCode } from "../../storage/file-failure.ts";
import type { Terminal } from "../terminal.ts";
import { badInput } from "./bad-input.ts";

/** The longest text that Node holds in one string, rounded down. */
export const MOST_BYTES = 512 * 1024 * 1024 - 1024;

/** What to do about a file that cannot be used, by what was asked for. */
export interface InputHints {
  readonly empty: string;
  readonly tooLarge: string;
}

const CONVERSATION_HINTS: InputHints = {
  empty: "Give a file that holds a conversation.",
  tooLarge: "Split it: one session a file.",
};

export interface InputBytes {
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

async function unpack(bytes: Buffer, label: string, limit: Limit): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: limit.mostBytes });
  } catch (error) {
    const code = errorCode(error);
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
  const megabytes = Math.floor(mostBytes / 1_000_000).toLocaleString("en-US");
  return badInput("TOO_LARGE", `${label} is larger than ${megabytes} MB.`, hint);
}
