// Every piece of TypeScript that the README and the guides show compiles in a strict project, against the types of the
// real SDKs. What a piece takes for granted stands in a comment above it: `<!-- prelude ... -->`, good until the next one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
const pages = ["README.md", "OBSERVABILITY.md", ...guides];

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.es2024.string.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  paths: {
    "agent-compact": [join(root, "src/index.ts")],
    "agent-compact/*": [join(root, "src/*.ts"), join(root, "src/integrations/*.ts")],
  },
};

/** Each piece behind its prelude, on the lines that both have in the page. */
function snippetsOf(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, page), "utf8");
  const found = new Map<string, string>();
  let prelude = "";
  for (const { index, groups } of text.matchAll(PIECE)) {
    const line = linesOf(text.slice(0, index)) + 1;
    if (groups?.prelude !== undefined) prelude = "\n".repeat(line) + groups.prelude;
    else {
      const code = `${prelude}${"\n".repeat(line - linesOf(prelude))}${groups?.code}export {};`;
      found.set(join(root, `${page.replaceAll("/", "-")}-${line}.ts`), code);
    }
  }
  return found;
}

const PIECE = /^<!-- prelude\n(?<prelude>[\s\S]*?)^-->$|^```ts\n(?<code>[\s\S]*?)^```$/gm;
const linesOf = (text: string) => text.split("\n").length - 1;

/** Frameworks stand in projects of their own; where one is not installed here, its pieces are left out. */
function isInstalled(text: string): boolean {
  const names = [...text.matchAll(/ from "(?!agent-compact|node:)((?:@[\w-]+\/)?[\w-]+)/g)].map(
    ([, name = ""]) => name,
  );
  return names.every((name) => existsSync(join(root, "node_modules", name)));
}

function faultsOf(snippets: ReadonlyMap<string, string>): readonly string[] {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => snippets.has(path) || fileExists(path);
  host.readFile = (path) => snippets.get(path) ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) => {
    const text = snippets.get(path);
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([...snippets.keys()], options, host);
  return [...snippets.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => {
        const line = 1 + (file?.getLineAndCharacterOfPosition(start).line ?? 0);
        return `${path.slice(root.length)}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
      },
    );
  });
}

describe("what the README and the guides show", () => {
  it("compiles in strict TypeScript with the messages of real SDKs", { timeout: 120_000 }, () => {
    const all = pages.flatMap((page) => [...snippetsOf(page)]);
    const checked = new Map(all.filter(([, text]) => isInstalled(text)));
    expect(checked.size).toBeGreaterThan(15);
    expect(faultsOf(checked)).toEqual([]);
  });
});
