// Which bytes are text: UTF-8, GBK where it is Chinese beyond doubt, and nothing that would only be guessed.
import { describe, expect, it } from "vitest";
import { readMemoryFile } from "../../../src/memory-files/workspace/read-memory-file.ts";
import { toGbk } from "./workspace-folder.ts";

const CHINESE = "# 记忆系统\n\n- 数据库端口是 5432，不要改。\n- 用户喜欢简短的回答\r\n";

function encodingOf(bytes: Uint8Array): string {
  const read = readMemoryFile("MEMORY.md", bytes);
  return "code" in read ? read.code : read.encoding;
}

function messageOf(bytes: Uint8Array): string {
  const read = readMemoryFile("MEMORY.md", bytes);
  return "code" in read ? read.message : "text";
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function utf16(text: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return isBigEndian ? bytes.swap16() : bytes;
}

describe("GBK", () => {
  it("is read character by character, its bytes kept", () => {
    const bytes = toGbk(CHINESE);
    const read = readMemoryFile("MEMORY.md", bytes);
    expect(read).toMatchObject({ encoding: "gbk", bytes });
    expect("lines" in read ? read.lines.map(({ text }) => text) : []).toEqual(CHINESE.split(/\r?\n/).slice(0, -1));
  });

  it("is read in short texts and with characters beyond GB2312 here and there", () => {
    expect(encodingOf(toGbk("缓存"))).toBe("gbk");
    expect(encodingOf(toGbk(`${CHINESE}镕`))).toBe("gbk");
  });

  it("is not what mostly lies beyond GB2312", () => {
    expect(encodingOf(toGbk("繁體檔案與記憶體"))).toBe("NOT_TEXT");
  });
});

describe("other encodings", () => {
  it("are refused: Western letters", () => {
    for (const text of [
      "café au lait",
      "Größe und Straße",
      "Größe",
      "pää",
      "créée à l'été",
      "ÅÄÖ åäö",
      "señor, mañana",
      "¿Qué?",
      "caf\u00e9",
      "«Où êtes-vous»",
    ]) {
      expect(encodingOf(latin1(text)), text).toBe("NOT_TEXT");
    }
  });

  it("are refused: UTF-16 with and without a mark, both ends", () => {
    for (const text of ["\u{feff}# Notes\nsay", "# Notes\nsay", "\u{feff}记忆", "记忆\n系统"]) {
      for (const isBigEndian of [false, true]) expect(encodingOf(utf16(text, isBigEndian))).toBe("NOT_TEXT");
    }
    expect(messageOf(utf16("\u{feff}a", true))).toBe("It is UTF-16, which is not read.");
  });

  it("are refused: Cyrillic, Japanese and Korean of one or two bytes", () => {
    const cyrillic = Buffer.from(
      [..."Привет, это память"].map((c) => (c > "я" || c < "А" ? c.charCodeAt(0) : c.charCodeAt(0) - 0x350)),
    );
    expect(encodingOf(cyrillic)).toBe("NOT_TEXT");
    // Hiragana in EUC, where GB2312 has them too; Hangul in EUC, row by row of the first half.
    expect(encodingOf(toGbk("これはメモリのファイルです。日本"))).toBe("NOT_TEXT");
    const hangul = Array.from({ length: 80 }, (_, index) => [0xb0 + (index % 25), 0xa1 + index]).flat();
    expect(encodingOf(Uint8Array.from(hangul))).toBe("NOT_TEXT");
    // Shift-JIS for "kore".
    expect(encodingOf(Uint8Array.of(0x82, 0xb1, 0x82, 0xea))).toBe("NOT_TEXT");
  });

  it("are refused: binary, damaged UTF-8, a mark before something else", () => {
    expect(encodingOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0))).toBe("NOT_TEXT");
    expect(encodingOf(Buffer.from("text\0text"))).toBe("NOT_TEXT");
    expect(encodingOf(Buffer.concat([Buffer.from("# Notes\n"), Buffer.from("你").subarray(0, 2)]))).toBe("NOT_TEXT");
    expect(encodingOf(Uint8Array.of(0xed, 0xa0, 0x80))).toBe("NOT_TEXT");
    expect(encodingOf(Uint8Array.of(0xff))).toBe("NOT_TEXT");
    expect(encodingOf(Buffer.concat([Buffer.from("\u{feff}"), toGbk(CHINESE)]))).toBe("NOT_TEXT");
  });

  it("are refused above 64 MB, before they are looked at", () => {
    expect(encodingOf(new Uint8Array(64 * 1024 * 1024 + 1))).toBe("TOO_LARGE");
  });
});
