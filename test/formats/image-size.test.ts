import { describe, expect, it } from "vitest";
import { imageSize, parseDataUrl } from "../../src/providers/attachments.ts";
import { TINY_PNG } from "./histories.ts";

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString("base64");
const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));

describe("the size of an image", () => {
  it.each<[string, string, number, number]>([
    ["PNG", TINY_PNG, 1, 1],
    ["GIF", base64(...ascii("GIF89a"), 0x40, 0x01, 0xf0, 0x00, 0, 0, 0, 0), 320, 240],
    [
      "WebP, extended",
      base64(...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8X"), 10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0),
      800,
      600,
    ],
    [
      "WebP, lossy",
      base64(...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8 "), 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x20, 3, 0x58, 2),
      800,
      600,
    ],
    [
      "WebP, lossless",
      base64(...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8L"), 0, 0, 0, 0, 0x2f, 0x1f, 0xc3, 0x95, 0),
      800,
      600,
    ],
    [
      "JPEG with metadata before the frame",
      base64(
        0xff,
        0xd8,
        0xff,
        0xe1,
        0,
        80,
        ...Array<number>(78).fill(1),
        0xff,
        0xc0,
        0,
        17,
        8,
        0x02,
        0x58,
        0x03,
        0x20,
        3,
        1,
        2,
      ),
      800,
      600,
    ],
  ])("%s", (_, data, width, height) => {
    expect(imageSize(data)).toEqual({ width, height });
  });

  it.each([
    ["", "no data"],
    ["!!!!", "no base64"],
    [base64(1, 2, 3, 4), "no image"],
    [base64(0xff, 0xd8, 0xff), "a JPEG cut short"],
  ])("is unknown for %j: %s", (data) => {
    expect(imageSize(data)).toBeUndefined();
  });

  it("reads data URLs, and only those", () => {
    expect(parseDataUrl("data:image/png;base64,AAAA")).toEqual({ mediaType: "image/png", base64: "AAAA" });
    expect(parseDataUrl("https://example.org/a.png")).toBeUndefined();
    expect(parseDataUrl("data:text/plain,hello")).toBeUndefined();
  });
});
