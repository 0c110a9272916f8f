// Bytes of all files below a folder.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesBelow(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}
