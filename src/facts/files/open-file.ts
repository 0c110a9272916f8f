// Editors that work on the file which is open name it in their answer only: "[File: src/app.py (94 lines total)]",
// "(Open file: /repo/src/app.py)".

const OPEN_FILE =
  /(?:^|\n)(?:\(Open file: ([^\n()]{1,400})\)|\[(?:File|Open file): ([^\n()[\]]{1,400}?)(?: \(\d[^\n)]{0,40}\))?\])/;
/** The mark stands in the first lines or in the last. */
const LOOKED_THROUGH = 1_500;

/** The file that an answer says is open; undefined where it names none. */
export function openFileOf(answer: string): string | undefined {
  const match = OPEN_FILE.exec(answer.slice(-LOOKED_THROUGH)) ?? OPEN_FILE.exec(answer.slice(0, LOOKED_THROUGH));
  const path = (match?.[1] ?? match?.[2])?.trim();
  return path === undefined || path === "" || path === "n/a" ? undefined : path;
}
