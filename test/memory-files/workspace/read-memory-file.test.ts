// Bytes to lines: every byte in exactly one of them, whatever the line ends, and text only where it is text.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMemoryFile } from "../../../src/memory-files/workspace/read-memory-file.ts";
import { type MemoryFile, textOf, type UnreadFile } from "../../../src/memory-files/workspace.ts";
import { toGbk } from "./workspace-folder.ts";

const encoder = new TextEncoder();
const MARK = "\u{feff}";

function read(content: string | Uint8Array): MemoryFile {
  const file = readUnsure(content);
  if ("code" in file) throw new Error(file.message);
  return file;
}

function readUnsure(content: string | Uint8Array): MemoryFile | UnreadFile {
  return readMemoryFile("MEMORY.md", typeof content === "string" ? encoder.encode(content) : content);
}

function texts(content: string | Uint8Array): readonly string[] {
  return read(content).lines.map(({ text }) => text);
}

describe("lines", () => {
  it("end at line feeds, pairs and lone returns", () => {
    expect(texts("a\nb\r\nc\rd")).toEqual(["a", "b", "c", "d"]);
    expect(texts("a\r\r\nb\n\rc")).toEqual(["a", "", "b", "", "c"]);
    expect(texts("\n\n")).toEqual(["", ""]);
  });

  it("are not ended by what only looks like an end", () => {
    expect(texts("a\u2028b\u2029c\u0085d\vd\fe")).toHaveLength(1);
    // The byte of a line feed, with the highest bit set and as part of a character.
    expect(texts("\u010a \u0a0d 上")).toHaveLength(1);
  });

  it("know their bytes, without a mark, with their ends", () => {
    expect(read(`${MARK}é\r\n你好\nz`).lines).toEqual([
      { text: "é", start: 3, end: 7 },
      { text: "你好", start: 7, end: 14 },
      { text: "z", start: 14, end: 15 },
    ]);
  });

  it("are none in an empty file, and a final end begins none", () => {
    expect(read("")).toMatchObject({ lines: [], lineEnd: "\n", encoding: "utf-8", bytes: new Uint8Array() });
    expect(read(MARK).lines).toEqual([]);
    expect(texts("a\n")).toEqual(["a"]);
    expect(texts("a")).toEqual(["a"]);
  });

  it("keep a mark that stands inside, and control characters", () => {
    expect(texts(`a\n${MARK}b\u0007`)).toEqual(["a", `${MARK}b\u0007`]);
    expect(texts(`${MARK}${MARK}a`)).toEqual([`${MARK}a`]);
  });

  it("tell the most frequent end", () => {
    for (const [content, lineEnd] of [
      ["a\r\nb\r\nc\n", "\r\n"],
      ["a\r\nb\nc\n", "\n"],
      ["a\rb\rc\n", "\r"],
      ["a\r\nb\n", "\n"],
      ["no end", "\n"],
    ] as const) {
      expect(read(content).lineEnd).toBe(lineEnd);
    }
  });

  it("carry the outline and the hash of the whole", () => {
    const content = `${MARK}# One\r\n\r\ntext\r\n`;
    const file = read(content);
    expect(file.outline.blocks.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ["heading", 0, 1],
      ["paragraph", 2, 3],
    ]);
    expect(file.sha256).toBe(createHash("sha256").update(content).digest("hex"));
    expect(textOf(file, 1)).toBe("\ntext");
  });
});

/** Bytes as they meet in files that somebody damaged: line ends, marks, letters and halves of characters. */
const pieces = fc.oneof(
  fc.constantFrom("\n", "\r", "\r\n", MARK, "a", "# b", "é", "你", "𝄞").map((text) => encoder.encode(text)),
  fc.uint8Array({ maxLength: 3 }),
  fc.constantFrom("中文", "记忆，系统。").map(toGbk),
);
const contents = fc.array(pieces, { maxLength: 30 }).map((parts) => Buffer.concat(parts));

describe("any bytes", () => {
  it("are refused, or lie in exactly one line each", () => {
    let readable = 0;
    fc.assert(
      fc.property(contents, (bytes) => {
        const file = readUnsure(bytes);
        if ("code" in file) return;
        readable += 1;
        const isMarked = file.encoding === "utf-8" && bytes.subarray(0, 3).equals(encoder.encode(MARK));
        const head = bytes.subarray(0, isMarked ? 3 : 0);
        const parts = file.lines.map(({ start, end }) => bytes.subarray(start, end));
        expect(Buffer.concat([head, ...parts]).equals(bytes)).toBe(true);
        expect(file.lines.every(({ start, end }) => start < end)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(readable).toBeGreaterThan(100);
  });

  it("give each line the text that its own bytes have", () => {
    fc.assert(
      fc.property(contents, (bytes) => {
        const file = readUnsure(bytes);
        if ("code" in file) return;
        const decoder = new TextDecoder(file.encoding, { fatal: true, ignoreBOM: true });
        for (const { text, start, end } of file.lines) {
          expect(decoder.decode(bytes.subarray(start, end)).replace(/[\r\n]{1,2}$/, "")).toBe(text);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
