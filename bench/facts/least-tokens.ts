// What a compacted list cannot be smaller than: the messages that stay, and what the others must be remembered by, bare,
// without a title, a citation or a word of ours. A size below it cannot be reached.
import type { ModelTokenCounter } from "../../src/tokens.ts";
import { textOf } from "./oracle.ts";

export function leastTokens(left: readonly unknown[], required: readonly string[], counter: ModelTokenCounter): number {
  const staying = left.filter((message) => !textOf([message]).includes("<COMPACT-"));
  const bare: string[] = [textOf(staying)];
  // Longest first: "b.ts" stands in "src/a/b.ts".
  for (const value of [...new Set(required)].sort((a, b) => b.length - a.length))
    if (!bare.some((held) => held.includes(value))) bare.push(value);
  return counter.countMessages(staying as never) + counter.count(bare.slice(1).join("\n"));
}
