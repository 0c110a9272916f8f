// A change to a file as lines with marks, whatever way it was written down: whole content, old and new text, or a
// patch. What the lines define is symbols.ts.

export interface ChangedLine {
  /** `+` new, `-` gone, ` ` around it. */
  readonly mark: "+" | "-" | " ";
  readonly text: string;
}

/** Longer texts are read up to here: the symbols of a file stand at its beginning as well as anywhere. */
const LONGEST_TEXT = 200_000;

export function wholeContent(text: string): readonly ChangedLine[] {
  return text === "" ? [] : splitLines(text).map((line) => ({ mark: "+", text: line }));
}

/** Lines of the new text, those that the old one had too as context, and in front the ones that went. */
export function replacedText(removed: string, added: string): readonly ChangedLine[] {
  if (removed === "") return wholeContent(added);
  const before = splitLines(removed);
  const after = splitLines(added);
  const known = new Set(before);
  const kept = new Set(after);
  const gone = before.map((text): ChangedLine => ({ mark: kept.has(text) ? " " : "-", text }));
  if (after.every((text) => known.has(text))) return gone;
  return [
    ...after.map((text): ChangedLine => ({ mark: known.has(text) ? " " : "+", text })),
    ...gone.filter(({ mark }) => mark === "-"),
  ];
}

export function splitLines(text: string): readonly string[] {
  return text.slice(0, LONGEST_TEXT).split("\n");
}
