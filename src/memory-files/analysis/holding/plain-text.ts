// A file as the guard of similarity/ can read it: headings in one form, without blocks that must be compared line by
// line.
import { type Block, isHeading } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { isLiteral } from "./passages.ts";

export function plainText({ lines }: MemoryFile, blocks: readonly Block[], from: number, to: number): string {
  const text = lines.slice(from, to).map((line) => line.text);
  for (const block of blocks) {
    if (isLiteral(block)) text.fill("", block.from - from, block.to - from);
    else if (isHeading(block) && block.container === undefined) {
      text.fill("", block.from - from, block.to - from);
      text[block.from - from] = headingLine(block);
    }
  }
  return text.join("\n");
}

function headingLine({ level, text }: { readonly level: number; readonly text: string }): string {
  return `${"#".repeat(level)} ${text}`;
}
