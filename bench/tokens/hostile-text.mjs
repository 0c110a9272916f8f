// Text that blocks a tokenizer whose merge is quadratic: unbroken runs, and text that looks like control tokens.
import { createRandom } from "./random.mjs";

function fill(size, next) {
  const parts = [];
  for (let length = 0; length < size; ) {
    const part = next();
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

function runOf(alphabet) {
  const characters = [...alphabet];
  return (size) => {
    const random = createRandom(7);
    return fill(size, () => characters[Math.floor(random() * characters.length)]);
  };
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** By name: a text of about so many bytes of UTF-8. */
export const hostileTexts = {
  "one letter": (bytes) => "a".repeat(bytes),
  spaces: (bytes) => " ".repeat(bytes),
  newlines: (bytes) => "\n".repeat(bytes),
  "`=`": (bytes) => "=".repeat(bytes),
  "one Chinese character": (bytes) => "中".repeat(bytes / 3),
  "unbroken Chinese": (bytes) => {
    const random = createRandom(7);
    return fill(bytes / 3, () => String.fromCharCode(0x4e00 + Math.floor(random() * 8_000)));
  },
  emoji: (bytes) => {
    const random = createRandom(7);
    return fill(bytes / 2, () => String.fromCodePoint(0x1f300 + Math.floor(random() * 600)));
  },
  base64: runOf(BASE64),
  hex: runOf("0123456789abcdef"),
  "random small letters": runOf("abcdefghijklmnopqrstuvwxyz"),
  "`<|endoftext|>`": (bytes) => "<|endoftext|>".repeat(bytes / 13),
};
