// What a model reads of a document, of sound, of a video is estimated by pages and seconds, never by bytes; and a guess
// refuses nothing.
import { describe, expect, it } from "vitest";
import { CompactManager } from "../../src/index.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { verifies } from "../requirements/verifies.ts";

/** As a scanner writes them: a picture a page. */
function scannedPdf(pages: number, kilobytes: number): string {
  const noise = Array.from({ length: 1_024 }, (_, n) => String.fromCharCode((n * 167 + 13) % 256)).join("");
  const page = (n: number) =>
    `${n} 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n${n + 1} 0 obj\n<< /Subtype /Image >>\nstream\n${noise.repeat(kilobytes)}\nendstream\n`;
  const all = Array.from({ length: pages }, (_, n) => page(n * 2 + 3)).join("");
  return btoa(`%PDF-1.7\n${all}2 0 obj\n<< /Type /Pages /Count ${pages} >>\nendobj\n%%EOF\n`);
}

function wav(seconds: number): string {
  const header = new DataView(new ArrayBuffer(44));
  for (const [at, text] of [
    [0, "RIFF"],
    [8, "WAVE"],
  ] as const)
    for (const [offset, letter] of [...text].entries()) header.setUint8(at + offset, letter.charCodeAt(0));
  header.setUint32(28, 32_000, true);
  return btoa(String.fromCharCode(...new Uint8Array(header.buffer)) + "\u0001\u0002".repeat(16_000 * seconds));
}

function mp4(seconds: number, kilobytes: number): string {
  const header = new DataView(new ArrayBuffer(24));
  header.setUint32(12, 1_000);
  header.setUint32(16, seconds * 1_000);
  return btoa(
    `\0\0\0\u0018ftypmp42${"\0".repeat(8)}mvhd${String.fromCharCode(...new Uint8Array(header.buffer))}${"\u0007\u00ff".repeat(kilobytes * 512)}`,
  );
}

const chat = (...content: readonly object[]) => ({ role: "user", content });
const file = (type: string, data: string) => ({
  type: "file",
  file: { filename: "f", file_data: `data:${type};base64,${data}` },
});
const claude = (data: string) => ({
  role: "user",
  content: [
    { type: "document", source: { type: "base64", media_type: "application/pdf", data } },
    { type: "text", text: "Sum it up" },
  ],
});
const counter = createTokenCounter({ model: "gpt-4o" });
const count = (message: object) => counter.countMessages([message]);

describe("an estimate of media", () => {
  it.each<[string, object, number, number]>([
    ["five scanned pages in one format", claude(scannedPdf(5, 400)), 5_000, 20_000],
    ["in another", chat(file("application/pdf", scannedPdf(5, 400))), 5_000, 20_000],
    [
      "and in the third",
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_file", filename: "f.pdf", file_data: `data:application/pdf;base64,${scannedPdf(5, 400)}` },
        ],
      },
      5_000,
      20_000,
    ],
    ["a PDF that shows no page", claude(btoa(`%PDF-1.7\n${"\u0001\u00f0".repeat(4_000_000)}`)), 2_500, 60_000],
    [
      "two minutes of sound",
      chat({ type: "input_audio", input_audio: { data: wav(120), format: "wav" } }),
      1_000,
      5_000,
    ],
    ["half a minute of video", chat(file("video/mp4", mp4(30, 4_000))), 2_000, 12_000],
    [
      "a video that does not say how long it is",
      chat({
        type: "video_url",
        video_url: { url: `data:video/webm;base64,${btoa("\u0009\u00f1".repeat(4_000_000))}` },
      }),
      2_000,
      20_000,
    ],
    [
      "a spreadsheet",
      chat(
        file(
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
          btoa(`PK${"\u0003\u00ee".repeat(4_000_000)}`),
        ),
      ),
      1_000,
      60_000,
    ],
    ["a table as text, by its words", chat(file("text/csv", btoa("dock,price\n".repeat(400)))), 900, 1_600],
  ])("goes by what there is to read: %s", (_what, message, least, most) => {
    verifies("fault/media-by-bytes");
    expect(count(message)).toBeGreaterThan(least);
    expect(count(message)).toBeLessThan(most);
  });

  it("is the same whatever the pages weigh", () => {
    expect(count(claude(scannedPdf(5, 10)))).toBe(count(claude(scannedPdf(5, 300))));
    expect(count(claude(scannedPdf(9, 10)))).toBeGreaterThan(count(claude(scannedPdf(5, 300))));
  });
});

describe("a guess refuses nothing", () => {
  const huge = scannedPdf(90, 2);
  const manager = () => new CompactManager({ archive: false, maxContextTokens: 32_000, model: "claude-sonnet-4-5" });

  it("a list that only the guess makes too large comes back as it is", async () => {
    const messages = [claude(huge)];
    expect(await manager().preflight("s", messages, { format: "anthropic" })).toBe(messages);
  });

  it("beside a long conversation the conversation is compacted and the document stays", async () => {
    const long = Array.from({ length: 60 }, (_, n) => [
      { role: "user", content: `ask ${n}` },
      { role: "assistant", content: `${n} ${"harbour queue ledger ".repeat(250)}`.trim() },
    ]).flat();
    const asked = claude(huge);
    const out = await manager().preflight("s", [...long, asked], { format: "anthropic" });
    expect(out.length).toBeLessThan(long.length);
    expect(out.at(-1)).toBe(asked);
  });

  it("what is counted still refuses", async () => {
    const text = {
      role: "user",
      content: [...claude(huge).content, { type: "text", text: "harbour ".repeat(60_000) }],
    };
    await expect(manager().preflight("s", [text], { format: "anthropic" })).rejects.toMatchObject({
      kind: "InsufficientBudget",
    });
  });
});
