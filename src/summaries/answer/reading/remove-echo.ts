// Takes out of an answer what only repeats the request: the delimiters of quoted blocks, the labels of passages and their
// quoted lines. An answer that consists of nothing else has said nothing.
const DELIMITER = /<\/?(?:transcript|record|wish)-[\w-]{1,40}>/i;
/** A passage's label, as `compose-prompt` writes it. */
const LABEL =
  /^\[[^[\]\n]{1,120}\] {1,3}(?:user|assistant|tool|tool output, untrusted|record|note)(?: \(part [^()\n]{1,40}\))?\s{0,3}$/;
const QUOTED = /^\|(?: |$)/;
/** A row of a table closes with the mark that it opens with. */
const ROW = /\|\s{0,3}$/;
/** From this many labels on the transcript is written down again, quoted or not. */
const COPIED_LABELS = 3;

/** Linear. */
export function withoutEcho(text: string): string {
  const lines = text.split("\n");
  const labels = lines.filter((line) => LABEL.test(line)).length;
  const isEcho = labels > 0 || lines.some((line) => DELIMITER.test(line));
  const kept: string[] = [];
  let isCopied = false;
  for (const line of lines) {
    if (/^ {0,3}#{1,6} /.test(line)) isCopied = false;
    if (LABEL.test(line)) isCopied = labels >= COPIED_LABELS;
    else if (!isCopied && !DELIMITER.test(line) && !isQuoted(line, isEcho)) kept.push(line);
    if (DELIMITER.test(line)) isCopied = false;
  }
  return kept.join("\n");
}

/** Without a label near, a line that only opens with the mark is quoted, unless it may belong to a table. */
function isQuoted(line: string, isEcho: boolean): boolean {
  return QUOTED.test(line) && (isEcho || !ROW.test(line) || line.trim() === "|");
}
