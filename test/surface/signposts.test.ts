// Nobody is sent to a file that is not there: paths in ARCHITECTURE.md and AGENTS.md, and in comments of the sources. And the
// ways through the code that ARCHITECTURE.md names are those of the imports.
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSignposts } from "../../scripts/signposts.ts";
import { readSourceFacts } from "../../scripts/source-facts.ts";
import { readRepository } from "../../scripts/source-files.ts";

const repository = readRepository();

function signpostsOf(files: Record<string, string>): string[] {
  return checkSignposts(new Map(Object.entries({ "src/text/cut.ts": "", "src/cli/run.ts": "", ...files })));
}

describe("signposts", () => {
  it("name what is there", () => {
    expect(checkSignposts(repository)).toEqual([]);
  });

  it.each([
    ["a file in the page", "ARCHITECTURE.md", "see `text/gone.ts`"],
    ["a folder in the page", "ARCHITECTURE.md", "see `text/gone/`"],
    ["a file in the page for agents", "AGENTS.md", "see `src/gone.ts`"],
    ["a link of a page", "docs/a.md", "[how](../src/text/gone.ts)"],
    ["a file in a comment", "src/cli/help.ts", "// See gone.ts.\n"],
    ["a folder in a comment", "src/cli/help.ts", "/** How it is cut: gone/. */\n"],
    ["a path from a folder beside it", "src/cli/help.ts", "// See cut.ts.\n"],
  ])("refuse %s that is not there", (_what, path, text) => {
    expect(signpostsOf({ [path]: text })).toHaveLength(1);
  });

  it.each([
    ["a path from src", "ARCHITECTURE.md", "see `text/cut.ts`"],
    ["a path from a folder of src", "ARCHITECTURE.md", "see `cut.ts` and `src/cli/`"],
    ["links of a page", "docs/a.md", "[how](../src/text/cut.ts), [where](#there), [who](https://a.example/b)"],
    ["a file of users", "ARCHITECTURE.md", "## State\n\n`memory/archive/0001.json.ts`"],
    ["a path from a folder above", "src/cli/help.ts", "// See run.ts and text/cut.ts.\n"],
    ["a string", "src/cli/help.ts", 'export const x = "gone.ts";\n'],
  ])("accept %s", (_what, path, text) => {
    expect(signpostsOf({ [path]: text })).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const page = repository.get("ARCHITECTURE.md") ?? "";
  const imports = (path: string) =>
    readSourceFacts(path, repository.get(`src/${path}`) ?? "").imports.map(({ specifier }) =>
      posix.join(posix.dirname(path), specifier),
    );

  it.each(["observations", "decisions", "memory files"])("names the files that a command of %s passes", (memory) => {
    const line = page.split("\n").find((each) => each.startsWith(`- ${memory}: \`cli/`)) ?? "";
    const way = ["cli/program.ts", ...[...line.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path = ""]) => path)];
    expect(way.length).toBeGreaterThan(8);
    const unreached = way.filter(
      (path, at) => at > 0 && !way.slice(0, at).some((from) => imports(from).includes(path)),
    );
    expect(unreached).toEqual([]);
  });

  it("names the stages of a conversation by their files", () => {
    const block = /```\n(measure-conversation[^`]*)```/.exec(page)?.[1] ?? "";
    const stages = block
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(stages.length).toBeGreaterThan(5);
    expect(stages.filter((stage) => !repository.has(`src/conversation/${stage}.ts`))).toEqual([]);
  });
});
