// The block of YAML or TOML at the head of a file. It counts only where it is closed: a first line `---` that has no
// second is a rule.

const CLOSINGS: Readonly<Record<string, readonly string[]>> = { "---": ["---", "..."], "+++": ["+++"] };

/** Line after it; 0 where there is none. */
export function endOfFrontMatter(lines: readonly string[]): number {
  const closings = CLOSINGS[fenceIn(lines[0])];
  if (closings === undefined) return 0;
  for (let line = 1; line < lines.length; line++) if (closings.includes(fenceIn(lines[line]))) return line + 1;
  return 0;
}

/** Three characters, with nothing but blanks behind them; long lines are not looked through. */
function fenceIn(line = ""): string {
  const mark = line.slice(0, 3);
  return "---+++...".includes(mark) && /^[ \t]*$/.test(line.slice(3)) ? mark : "";
}
