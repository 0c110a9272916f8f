// The code of docs/extend.md: the marked part of each file in examples/extend/, which the suite compiles and runs.
import { readFileSync } from "node:fs";

const START = "// docs:start\n";
const END = "// docs:end\n";
/** What the page promises. */
const MOST_LINES = 40;

export function renderExtendBlocks(): ReadonlyMap<string, string> {
  return new Map(["format", "archive", "sink", "summarizer"].map((name) => [name, renderBlock(name)]));
}

function renderBlock(name: string): string {
  const path = `examples/extend/${name}.ts`;
  const text = readFileSync(path, "utf8");
  const code = text.slice(text.indexOf(START) + START.length, text.indexOf(END)).trimEnd();
  const lines = code.split("\n").length;
  if (lines >= MOST_LINES) throw new Error(`${path} shows ${lines} lines, fewer than ${MOST_LINES} are due`);
  return `\`\`\`ts\n${code}\n\`\`\``;
}
