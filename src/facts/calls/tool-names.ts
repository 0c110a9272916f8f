// What a tool is, by the words of its name: hosts spell them `str_replace_editor`, `MultiEdit`, `mcp__fs__write_file`.

/** The lower-case words of a tool's own name, without the server or namespace before it. */
export function toolWords(name: string): readonly string[] {
  const own =
    name
      .slice(0, 200)
      .split(/__|[./:]/)
      .at(-1) ?? "";
  return own
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

export function hasWord(words: readonly string[], set: ReadonlySet<string>): boolean {
  return words.some((word) => set.has(word));
}
