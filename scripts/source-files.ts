// Reads the checkout: which files are there, and their texts. The checks themselves work on plain maps.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Path relative to the root of the checkout, with forward slashes, to content. */
export type FileMap = ReadonlyMap<string, string>;

/** Every file that git tracks or would track, without binaries. Throws where git is missing. */
export function readRepository(): FileMap {
  const listing = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    encoding: "utf8",
  });
  const files = new Map<string, string>();
  for (const path of listing.split("\0").filter((entry) => entry !== "")) {
    const content = readText(path);
    if (content !== undefined) files.set(path, content);
  }
  return files;
}

/** The files below a folder that end in `suffix`, with paths relative to that folder. */
export function filesBelow(files: FileMap, folder: string, suffix: string): FileMap {
  const prefix = `${folder}/`;
  const inside = [...files].filter(([path]) => path.startsWith(prefix) && path.endsWith(suffix));
  return new Map(inside.map(([path, content]) => [path.slice(prefix.length), content]));
}

/** The sources of all tests, whatever they need installed. */
export function testSources(files: FileMap): FileMap {
  return new Map([...files].filter(([path]) => /^(?:test|e2e)\/.*\.ts$/.test(path)));
}

function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    return bytes.includes(0) ? undefined : bytes.toString("utf8");
  } catch {
    return undefined; // listed by git but deleted in the working tree, or a link to a folder
  }
}
