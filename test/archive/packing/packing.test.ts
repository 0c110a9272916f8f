// Packing alone: streams, bounds and damage.
import zlib, { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "../../../src/archive/compression.ts";

const hasZstd = "createZstdCompress" in zlib;

async function* piecesOf(count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) yield new TextEncoder().encode(`${JSON.stringify({ n })}\n`);
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe("pack and unpack", () => {
  it("leave a file alone that is not packed", async () => {
    const bytes = await collect(pack("none", piecesOf(3)));
    expect(Buffer.from(bytes).toString()).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
    expect(await unpack("a.jsonl", bytes)).toEqual({ bytes, isTorn: false });
  });

  it("give back what went in, by the end of the name alone", async () => {
    const plain = await collect(piecesOf(50_000));
    const bytes = await collect(pack("gzip", piecesOf(50_000)));
    expect(bytes.length).toBeLessThan(plain.length / 3);
    const { bytes: back, isTorn } = await unpack("a.jsonl.gz", bytes);
    expect([Buffer.compare(back, plain), isTorn]).toEqual([0, false]);
    expect((await unpack("a.gz.jsonl", bytes)).bytes).toBe(bytes);
    expect((await unpack("a.gz", await collect(pack("gzip", piecesOf(0))))).bytes).toHaveLength(0);
  });

  it("stop a small file that would fill the memory", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    expect(bomb.length).toBeLessThan(30_000);
    await expect(unpack("a.jsonl.gz", bomb, 1_000_000)).rejects.toMatchObject({
      kind: "ArchiveFailed",
      code: "UNPACKS_TOO_LARGE",
      data: { location: "a.jsonl.gz", limit: 1_000_000 },
    });
    expect((await unpack("a.jsonl.gz", bomb, 20_000_000)).bytes).toHaveLength(20_000_000);
    const nested = Buffer.concat(Array.from({ length: 50 }, () => gzipSync(Buffer.alloc(100_000))));
    await expect(unpack("a.jsonl.gz", nested, 1_000_000)).rejects.toMatchObject({ code: "UNPACKS_TOO_LARGE" });
  });

  it("give what stands before any damage", async () => {
    const plain = Buffer.from(await collect(piecesOf(20_000)));
    const bytes = await collect(pack("gzip", piecesOf(20_000)));
    for (const cut of [0, 1, 9, 10, 100, bytes.length >> 1, bytes.length - 9, bytes.length - 8, bytes.length - 1]) {
      const torn = await unpack("a.gz", bytes.subarray(0, cut));
      // Nothing at all is an empty transcript to zlib, so only the lines tell.
      if (cut > 0) expect(torn.isTorn, `cut at ${cut}`).toBe(true);
      expect(plain.subarray(0, torn.bytes.length).equals(torn.bytes), `cut at ${cut}`).toBe(true);
    }
    const nearEnd = await unpack("a.gz", bytes.subarray(0, bytes.length - 8));
    expect(nearEnd.bytes).toHaveLength(plain.length);
    const garbled = Uint8Array.from(bytes);
    garbled.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 50);
    const read = await unpack("a.gz", garbled);
    expect(read.isTorn).toBe(true);
    expect(read.bytes.length).toBeGreaterThan(plain.length / 4);
    expect(await unpack("a.gz", new TextEncoder().encode("never packed"))).toEqual({
      bytes: new Uint8Array(),
      isTorn: true,
    });
  });

  it("end with the fault of what they read from", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* piecesOf(10);
      throw new Error("the source broke");
    }
    await expect(collect(pack("gzip", failing()))).rejects.toThrow("the source broke");
  });

  it("stop reading the source when nobody takes more", async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield crypto.getRandomValues(new Uint8Array(65_536));
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of pack("gzip", endless())) break;
    await expect.poll(() => isEnded).toBe(true);
  });

  it.skipIf(!hasZstd)("zstd gives back what went in, and stops at a bound", async () => {
    const bytes = await collect(pack("zstd", piecesOf(5000)));
    const { bytes: back, isTorn } = await unpack("a.zst", bytes);
    expect([Buffer.compare(back, await collect(piecesOf(5000))), isTorn]).toEqual([0, false]);
    // Node 22 itself says nothing of a file that breaks off.
    for (const cut of [1, 3, 10, bytes.length >> 1])
      expect((await unpack("a.zst", bytes.subarray(0, bytes.length - cut))).isTorn).toBe(true);
    await expect(unpack("a.zst", bytes, 1000)).rejects.toMatchObject({ code: "UNPACKS_TOO_LARGE" });
  });

  it.skipIf(hasZstd)("say what to do where the runtime has no zstd", async () => {
    const refusal = { kind: "MissingDependency", hint: expect.stringContaining("gzip") };
    await expect(collect(pack("zstd", piecesOf(1)))).rejects.toMatchObject(refusal);
    await expect(unpack("a.zst", new Uint8Array(4))).rejects.toMatchObject(refusal);
  });
});
