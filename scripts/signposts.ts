// Names of files and folders in prose: those in backticks in ARCHITECTURE.md and AGENTS.md, links of all pages, and those in
// comments of src. Each must be there, so that nobody is sent to a file that was moved.
import { posix } from "node:path";
import type { Violation } from "./layer-check.ts";
import type { FileMap } from "./source-files.ts";

const PAGES = ["ARCHITECTURE.md", "AGENTS.md"];
/** A heading below which paths are those of users. */
const USERS_FILES = /^## State$/m;
const PATH = /^[\w.-]+(?:\/[\w.-]+)*\/?$/;
/** By lines: to parse all of src would take half a minute. */
const COMMENT = /(?:^\s*(?:\*|\/\*)|(?:^|\s)\/\/\s)(.*)/;
const FILE_NAME = /(?<![\w./@*-])[\w@./-]+\.ts\b/g;
const FOLDER_NAME = /(?<![\w./:<-])(?:[a-z][\w-]*\/)+(?![\w*{<]|\.\w)/g;

/** In comments: files that a conversation, a workspace or a build may hold, not ours. */
const EXAMPLES: ReadonlySet<string> = new Set([
  ...["a.ts", "rows.ts", "src/x.ts", "a/src/x.ts", "src/cart.ts", "src/import/rows.ts"],
  ...[
    "memory/",
    "memory/archive/",
    "memory-bank/",
    "memories/",
    "dist/",
    "dist/cli/",
    "openai/",
    "azure/eu/",
    "s/a/b/",
  ],
]);

/** `files`: the whole repository. */
export function checkSignposts(files: FileMap): Violation[] {
  const known = new Set([...files.keys()].flatMap(withFolders));
  return [
    ...PAGES.flatMap((page) => checkPage(page, files.get(page) ?? "", known)),
    ...[...files].flatMap(([path, text]) =>
      /^(?:docs\/.*|[A-Z]+)\.md$/.test(path) ? checkLinks(path, text, known) : [],
    ),
    ...[...files].flatMap(([path, text]) => (/^src\/.*\.ts$/.test(path) ? checkComments(path, text, known) : [])),
  ];
}

function withFolders(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** A page may name a path from the root, from `src`, or from a folder of `src` that the reader is told of. */
function checkPage(page: string, text: string, known: ReadonlySet<string>): Violation[] {
  const [ours = ""] = text.split(USERS_FILES);
  const starts = ["", "src/", ...[...known].filter((path) => /^src\/[^/.]+$/.test(path)).map((path) => `${path}/`)];
  return linesOf(ours).flatMap(({ line, number }) =>
    [...line.matchAll(/`([^`]+)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => PATH.test(name) && /\/|\.(?:ts|md)$/.test(name) && !name.endsWith("MEMORY.md"))
      .filter((name) => !starts.some((start) => known.has(start + withoutSlash(name))))
      .map((name) => `${page}:${number} names ${name}, which is not there`),
  );
}

/** Links to files, from the folder of the page; not those to other sites. */
function checkLinks(path: string, text: string, known: ReadonlySet<string>): Violation[] {
  return linesOf(text).flatMap(({ line, number }) =>
    [...line.matchAll(/\]\(([\w./-]+)(?:#[\w-]*)?\)/g)]
      .map(([, link = ""]) => link)
      // Pictures are no texts, so they are not among the files that are known.
      .filter((link) => !/\.(?:png|jpe?g|gif)$/.test(link))
      .filter((link) => !known.has(posix.join(posix.dirname(path), withoutSlash(link))))
      .map((link) => `${path}:${number} links to ${link}, which is not there`),
  );
}

/** A comment may name a path from its own folder, or from one of those above it. */
function checkComments(path: string, text: string, known: ReadonlySet<string>): Violation[] {
  return linesOf(text).flatMap(({ line, number }) => {
    const comment = COMMENT.exec(line)?.[1];
    if (comment === undefined) return [];
    const folders = comment.replaceAll(/\[[^\]]*\]\S*/g, "").match(FOLDER_NAME) ?? [];
    return [...(comment.match(FILE_NAME) ?? []), ...folders]
      .filter((name) => !EXAMPLES.has(name) && !isAbove(path, name, known))
      .map((name) => `${path}:${number} names ${name}, which is not there`);
  });
}

function isAbove(path: string, name: string, known: ReadonlySet<string>): boolean {
  const folders = withFolders(posix.dirname(path));
  return ["", ...folders].some((folder) => known.has(posix.join(folder, withoutSlash(name))));
}

function withoutSlash(name: string): string {
  return name.replace(/\/$/, "");
}

function linesOf(text: string): readonly { readonly line: string; readonly number: number }[] {
  return text.split("\n").map((line, index) => ({ line, number: index + 1 }));
}
