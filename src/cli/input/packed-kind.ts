// Archives and packed files by the bytes that each kind begins with: what is in them may be text, so "not text" helps nobody.
// gzip is not among them; it is unpacked before.

interface Kind {
  readonly said: string;
  readonly at?: number;
  readonly begins: readonly number[];
}

/** Any byte. */
const ANY = -1;
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

const KINDS: readonly Kind[] = [
  { said: "is an archive (zip)", begins: [...ascii("PK"), 3, 4] },
  { said: "is an archive (zip)", begins: [...ascii("PK"), 5, 6] },
  { said: "is an archive (tar)", at: 257, begins: ascii("ustar") },
  { said: "is an archive (7z)", begins: [...ascii("7z"), 0xbc, 0xaf, 0x27, 0x1c] },
  { said: "is an archive (rar)", begins: [...ascii("Rar!"), 0x1a, 7] },
  { said: "is packed with xz", begins: [0xfd, ...ascii("7zXZ"), 0] },
  { said: "is packed with zstd", begins: [0x28, 0xb5, 0x2f, 0xfd] },
  { said: "is packed with bzip2", begins: [...ascii("BZh"), ANY, 0x31, 0x41, 0x59, 0x26] },
];
/** Completes a sentence that begins with the file's name; undefined for what is none of them. */
export function packedKind(bytes: Uint8Array): string | undefined {
  return KINDS.find(({ at = 0, begins }) => begins.every((byte, index) => byte === ANY || bytes[at + index] === byte))
    ?.said;
}
