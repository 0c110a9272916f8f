// Where something can come out, as texts to look through: files, packed ones unpacked, and what an error carries.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { inspect } from "node:util";
import * as zlib from "node:zlib";
import type { CompactError } from "../../src/errors.ts";

export interface Door {
  readonly name: string;
  readonly text: string;
}

/** Every file below a folder, hidden ones too: its name and its content, unpacked where it is packed. */
export function filesBelow(folder: string): readonly Door[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ name: relative(folder, path), text: `${relative(folder, path)}\n${contentOf(path)}` }));
}

function contentOf(path: string): string {
  return unpacked(readFileSync(path));
}

export function unpacked(bytes: Buffer): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return zlib.gunzipSync(bytes).toString("utf8");
  const isZstd = bytes.length >= 4 && bytes.readUInt32LE(0) === 0xfd2fb528;
  if (isZstd) return zstdDecompress(bytes).toString("utf8");
  return bytes.toString("utf8");
}

/** Newer versions of Node have it. */
function zstdDecompress(bytes: Uint8Array): Buffer {
  return (zlib as unknown as { zstdDecompressSync(bytes: Uint8Array): Buffer }).zstdDecompressSync(bytes);
}

/** Message, hint, data, causes and stack: whatever a log could show. */
export function everythingOf(error: CompactError): string {
  return `${inspect(error, { depth: 20, showHidden: true, maxStringLength: null })}\n${JSON.stringify(error)}\n${error.hint}`;
}

/** So that whoever writes into what the caller gave throws. */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    waiting.push(...Object.values(next));
  }
  return value;
}
