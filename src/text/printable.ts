// A text of unknown origin as it may be shown: what a terminal would obey, and what hides or turns around what is read, is
// written out. The form is JSON's, so that printed JSON means the same.

/**
 * Controls but tab and line ends, separators of lines that no line ends at, and what cannot be seen: marks of direction,
 * zero-width characters, tags, fillers. Joiners and selectors stay where emoji and scripts need them: between or behind
 * characters that are not Latin and can be seen themselves.
 */
const UNSHOWN =
  /\r(?!\n)|[\ufe0e\ufe0f](?<![^\s\p{Cc}\p{DI}].)|[\u200c\u200d](?!(?<=[^\0-\u024f\u200b-\u200f\u2028-\u202e].)[^\0-\u024f\p{DI}])|(?!\t|\n|\r|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb]/gu;

export function printable(text: string): string {
  return text.replace(UNSHOWN, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
}
