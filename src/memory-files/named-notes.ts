// Which notes the memory speaks of by their file name: a link to one that left would lead to nothing.
import { type MemoryFile, textOf } from "./memory-file.ts";

export function notesNamedBy(memory: readonly MemoryFile[]): (note: MemoryFile) => boolean {
  const texts = memory.map((file) => textOf(file));
  return ({ file }) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    return texts.some((text) => text.includes(name));
  };
}
