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

  it("is read in a text that repeats itself: what it says often tells no more than once", () => {
    expect(encodingOf(toGbk("今天的内容很多很多很多很多\n".repeat(2_000)))).toBe("gbk");
    expect(encodingOf(toGbk("今天鑫鑫鑫鑫很多\n".repeat(2_000)))).toBe("gbk");
    expect(encodingOf(toGbk(`${CHINESE}${"检查检查检查检查\n".repeat(2_000)}`))).toBe("gbk");
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

  it("are refused: logs and tables of Western letters that repeat themselves", () => {
    const lines = [
      "Größe geändert: übernommen",
      "créée à l'été, où êtes-vous",
      "àéîõü ÀÉÎÕÜ çÇ ñÑ",
      "½ ¼ ¾ §§ ©®",
      "¡¡Olé!! «sí»",
    ];
    for (const line of [...lines, lines.join("\n")]) {
      expect(encodingOf(latin1(`${line}\n`.repeat(2_000))), line).toBe("NOT_TEXT");
    }
    // Curly quotes and dashes of Windows-1252; lines drawn in the characters of old terminals.
    expect(encodingOf(latin1("\x93Gr\xf6\xdfe\x94 \x96 \x93ja\x94\n".repeat(2_000)))).toBe("NOT_TEXT");
    expect(encodingOf(latin1(`${"\xc4".repeat(40)}\nna\xefve caf\xe9\n`.repeat(3)))).toBe("NOT_TEXT");
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
    // A few syllables again and again; and all small letters of KOI8, in words of every length.
    expect(encodingOf(Uint8Array.from(hangul.slice(0, 12).concat(hangul.slice(0, 12), hangul)))).toBe("NOT_TEXT");
    expect(encodingOf(Buffer.from(Array.from({ length: 500 }, () => [...hangul.slice(0, 10), 0x0a]).flat()))).toBe(
      "NOT_TEXT",
    );
    const words = Array.from({ length: 3_000 }, (_, at) => [
      ...Array.from(
        { length: 2 + (at % 7) },
        (_, letter) => 0xc0 + ((at * 7 + letter * 5 + ((at * letter) % 11)) % 32),
      ),
      0x20,
    ]);
    expect(encodingOf(Buffer.from(words.flat()))).toBe("NOT_TEXT");
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
