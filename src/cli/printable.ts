// The one place through which text reaches the terminal. Nothing that a terminal obeys comes from a file, an archive or a
// store: colours are ours alone, and are told from others by a sign that no text can know.
import { printable } from "../text/printable.ts";
import type { OutputStream, Terminal } from "./terminal.ts";

/** Of this process. Parameters of a colour: a table that measures its cells takes them for one. */
let sign: string | undefined;

function ownSign(): string {
  const part = () => 1000 + Math.floor(Math.random() * 9000);
  sign ??= `${part()};${part()};`;
  return sign;
}

/** The text with its colours marked as ours: for what was coloured by code, around text that is printable. */
export function ownColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a colour begins with
  return text.replace(/\u001b\[(?=[\d;]{1,9}m)/g, `\u001b[${ownSign()}`);
}

/** What is ours stays as it is, marks and all; everything else is made printable. */
export function besideOwnColours(text: string, ours: (colour: string) => string = (colour) => colour): string {
  if (!text.includes("\u001b")) return printable(text);
  const pieces = text.split(new RegExp(`(\u001b\\[${ownSign()}[\\d;]{1,9}m)`));
  return pieces.map((piece, index) => (index % 2 === 0 ? printable(piece) : ours(piece))).join("");
}

/** Texts are made printable; bytes, which are results and not for reading, go through as they are. */
export function printableTerminal(terminal: Terminal): Terminal {
  return { ...terminal, stdout: printableStream(terminal.stdout), stderr: printableStream(terminal.stderr) };
}

function printableStream(stream: OutputStream): OutputStream {
  const asColour = (colour: string) => colour.replace(ownSign(), "");
  return {
    isTTY: stream.isTTY,
    columns: stream.columns,
    write: (content) => stream.write(typeof content === "string" ? besideOwnColours(content, asColour) : content),
  };
}
