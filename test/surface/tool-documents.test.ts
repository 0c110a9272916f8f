// What the documents say of the tools is what the server offers.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TOOL_GROUPS, toolsOf } from "../../src/mcp/tool-groups.ts";
import { verifies } from "../requirements/verifies.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The tools of the reference that are kept, before compaction. */
const SPECIFIED = [
  "mem_save",
  "mem_search",
  "mem_get",
  "mem_context",
  "mem_timeline",
  "mem_update",
  "mem_delete",
  "mem_session",
  "mem_stats",
  "mem_relate",
  "mem_progress",
];
/** Ours: what a compaction needs besides, and what looks into archives. */
const OURS = [
  "mem_stale",
  "mem_restore",
  "mem_export",
  "mem_import",
  "archive_search",
  "archive_expand",
  "memory_restore",
];
/** Named after the methods of CSTP. */
const DECISIONS = [
  ...["compact", "get_compacted", "set_preserve", "get_wisdom", "record_decision", "review_decision"],
  ...["get_decision", "query_decisions"],
];

describe("the tools", () => {
  it("are those of the references, mem_compact, memory_compact, seven of ours, and those of a decision log", async () => {
    verifies("observations/goal-one-new-tool", "observations/no-regressions", "observations/goal-existing-tests-pass");
    const names = (await toolsOf(TOOL_GROUPS, "all")).map(({ name }) => name);
    const methods = DECISIONS.map((name) => `cstp_${name}`);
    expect(names.toSorted()).toEqual([...SPECIFIED, "mem_compact", "memory_compact", ...OURS, ...methods].toSorted());
  });

  it("are eight where no flag asks for more, of which one may destroy", async () => {
    verifies("fault/hints-of-half-a-tool");
    const core = await toolsOf(["observations"], "core");
    expect(core.map(({ name }) => name).toSorted()).toEqual(
      ["save", "search", "get", "context", "stats", "stale", "compact", "restore"]
        .map((name) => `mem_${name}`)
        .toSorted(),
    );
    expect(core.flatMap(({ name, hints }) => (hints.isDestructive ? [name] : []))).toEqual(["mem_compact"]);
  });

  it.each(["README.md", "AGENTS.md", "docs/tool-reference.md"])("have their number in %s", async (path) => {
    verifies("observations/tool-count-in-documents");
    const count = (await toolsOf(TOOL_GROUPS, "all")).length;
    const counts = [...read(path).matchAll(/(\d+) tools/g)].map(([, number]) => Number(number));
    expect(counts.length).toBeGreaterThan(0);
    expect(new Set(counts)).toEqual(new Set([count]));
  });

  it("stand each in the reference, with every parameter", async () => {
    const page = read("docs/tool-reference.md");
    for (const { name, params } of await toolsOf(TOOL_GROUPS, "all")) {
      const [, section = ""] = page.split(`### \`${name}\``);
      expect(section, name).not.toBe("");
      for (const parameter of Object.keys(params.shape))
        expect(section.split("\n### ")[0]).toContain(`\`${parameter}\``);
    }
  });
});

describe("the guide to the trace viewer", () => {
  it("says how to start it, shows it, and names examples that post to its address as they are", () => {
    verifies("fault/viewer-without-a-guide");
    const guide = read("docs/guides/ariadne.md");
    const [, address = ""] = guide.match(/server that takes traces at `http:\/\/localhost(:\d+)`/) ?? [];
    expect(guide).toMatch(/```\ngit clone [\s\S]*pnpm install[\s\S]*pnpm dev\n```/);
    expect(guide).toMatch(/!\[.{40,}\]\(\.\.\/ariadne\.png\)/);
    const examples = [...guide.matchAll(/\(\.\.\/\.\.\/(examples\/[\w-]+\.ts)\)/g)].map(([, path = ""]) => path);
    expect(examples.length).toBeGreaterThan(2);
    for (const path of examples)
      expect(read(path)).toContain(`createAriadneSink({ url: "http://127.0.0.1${address}" })`);
  });
});

describe("the research page", () => {
  it("names the article that compaction rests on", () => {
    verifies("observations/research-foundations-page");
    const [entry = ""] = read("docs/research-foundations.md").match(/^\| F4 \|.*$/m) ?? [];
    expect(entry).toContain("https://www.anthropic.com/engineering/effective-context-engineering-for-ai-agents");
    expect(entry).toContain("mem_compact");
  });
});
