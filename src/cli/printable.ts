// What a terminal would act on is shown instead of sent: an id or a text from a file must not move the cursor, set the
// window's title or write to the clipboard. Colours stay. The form is JSON's, so that printed JSON means the same.
import type { OutputStream, Terminal } from "./terminal.ts";

/** Controls but tab and line ends, and marks that turn the direction of a line; colours are matched first, to be kept. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b\[[\d;]{0,20}m|\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function printable(text: string): string {
  return text.replace(CONTROLS, (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Texts are made printable; bytes, which are results and not for reading, go through as they are. */
export function printableTerminal(terminal: Terminal): Terminal {
  return { ...terminal, stdout: printableStream(terminal.stdout), stderr: printableStream(terminal.stderr) };
}

function printableStream(stream: OutputStream): OutputStream {
  return {
    isTTY: stream.isTTY,
    columns: stream.columns,
    write: (content) => stream.write(typeof content === "string" ? printable(content) : content),
  };
}
