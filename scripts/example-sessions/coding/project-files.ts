// Loads the fictional project. Its files carry `.txt` at their end, so that no check takes them for our own.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Path in the fictional project to text, as it is before the session begins. */
export function readProject(): Map<string, string> {
  const root = fileURLToPath(new URL("project", import.meta.url));
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [projectPath(relative(root, path)), readFileSync(path, "utf8")]));
}

function projectPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/\.txt$/, "");
}
