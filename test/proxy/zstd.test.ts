// Requests compressed with zstd, which a Node before 22.15 cannot read by itself. Frames are written here by hand where no
// compressor is at hand (RFC 8878, section 3.1.1).
import { describe, expect, it } from "vitest";
import { createZstdDecoder } from "../../src/proxy/usage.ts";
import { conversation, openTestProxy } from "./support.ts";

/** A frame with a window of 2 MiB, of blocks that hold their bytes as they are, or one byte many times. */
function frame(blocks: readonly (Buffer | { readonly times: number })[]): Buffer {
  const pieces = blocks.map((block, at) => {
    const isLast = at === blocks.length - 1 ? 1 : 0;
    const [kind, size, held] = "times" in block ? [1, block.times, Buffer.from(" ")] : [0, block.length, block];
    const header = Buffer.alloc(3);
    header.writeUIntLE((size << 3) | (kind << 1) | isLast, 0, 3);
    return Buffer.concat([header, held]);
  });
  return Buffer.concat([Buffer.from("28b52ffd0058", "hex"), ...pieces]);
}

async function post(address: string, body: Buffer) {
  const headers = { "content-type": "application/json", "content-encoding": "zstd" };
  return await fetch(`${address}/v1/messages`, { method: "POST", headers, body: new Uint8Array(body) });
}

/** Forty short messages, as the reference implementation packs them at level 19. */
const PACKED =
  "KLUv/QRoNQYA8okfGYDNA2r8QYK9YNTAPxYDMCNFSCmeyoFkCgNAdQx0ygifa094A50ywueaE9xAp4zwudYGOmWEz7W39b1xr6ziILF1McVp/2b514Y6Wl+ZX/Y2Xz3qyV5k1aXcJay2TcEEv+23F2HGUbvEBLdzI6YMgr2X6t4PM36YYKeT+zAVK6gxzBfWrH8HsJPSFgMRzBAwhG8IvyO8I/QDwkEOTlGDR8RBJ050s0PiQANNlGOTM69c5EQnV4TSthtMPLo0IyGRB6waHfF5aQ==";

async function decoded(...pieces: readonly Buffer[]): Promise<string> {
  const decoder = createZstdDecoder();
  for (const piece of pieces) decoder.write(piece);
  decoder.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of decoder) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}

describe("a request compressed with zstd", () => {
  it("is compacted when it is due, and sent on uncompressed", async () => {
    const { address, provider } = await openTestProxy({ config: { maxContextTokens: 4_000 } });
    const body = { model: "claude-sonnet-4-5", max_tokens: 500, messages: conversation(12) };
    const answer = await post(address, frame([Buffer.from(JSON.stringify(body))]));
    expect([answer.status, answer.headers.get("x-agent-compact-outcome")]).toEqual([200, "compacted"]);
    expect(provider.heard.at(-1)?.bytes.toString()).toContain("Looked at src/gateway10.ts");
  });

  it("is refused where its encoding hides that it is too large", async () => {
    const { address } = await openTestProxy();
    expect((await post(address, frame(Array(1_000).fill({ times: 131_072 })))).status).toBe(413);
  });
});

describe("the decoder", () => {
  it("reads what the reference implementation wrote, in pieces of any size", async () => {
    const bytes = Buffer.from(PACKED, "base64");
    const whole = await decoded(bytes);
    expect(JSON.parse(whole).messages).toHaveLength(40);
    expect(JSON.parse(whole).messages[39].content).toBe("Line 39 of a conversation that repeats itself, and itself.");
    expect(await decoded(...Array.from(bytes, (byte) => Buffer.from([byte])))).toBe(whole);
  });

  it("fails on what breaks off or is no zstd", async () => {
    await expect(decoded(Buffer.from(PACKED, "base64").subarray(0, 90))).rejects.toThrow();
    await expect(decoded(Buffer.from("no zstd at all"))).rejects.toThrow();
  });
});
