// The README shows how to start, and every page it points to is there.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements/verifies.ts";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

describe("the README", () => {
  it("has motivation, a start in code of at most ten lines, configuration, the interface, and the deeper pages", () => {
    verifies("conversation/quick-start-readme");
    expect(readme).toMatch(/## What it promises/);
    const [start = ""] = readme.split("```ts\n").slice(1);
    const lines =
      start
        .split("```")[0]
        ?.split("\n")
        .filter((line) => line.trim() !== "") ?? [];
    expect(lines.join("\n")).toContain("new CompactManager");
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(readme).toMatch(/\| option \| default \| meaning \|/);
    for (const name of ["preflight", "manualCompact", "prepare", "undo", "status"]) expect(readme).toContain(name);
    for (const page of ["ARCHITECTURE.md", "SECURITY.md", "OBSERVABILITY.md"]) expect(readme).toContain(`](${page})`);
  });

  it("shows the figures that the pages have", () => {
    const page = (name: string) => readFileSync(new URL(`docs/reference/${name}.md`, root), "utf8");
    const readers = (way: string) =>
      new RegExp(`\\| ${way} \\| \\d+ \\| (\\d+ %)`).exec(page("probes"))?.[1] ?? "nobody";
    expect(readme).toContain(`leaves them | ${readers("newest messages, 5 %")} |`);
    expect(readme).toContain(`no model** | **${readers("ours, 5 %")}** | **${readers("ours, 10 %")}** |`);
    expect(readme).toContain(`with a model | ${readers("ours with a model, 5 %")} |`);
    const small = page("proxy").split("## In a window of 32,000")[1]?.split("##")[0] ?? "";
    const saved = [...small.matchAll(/(\d+\.\d) %/g)].map(([, share]) => Math.round(Number(share)));
    expect(readme).toContain(`[${Math.min(...saved)} to ${Math.max(...saved)} % less]`);
  });

  it("links to nothing that is not there", () => {
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(10);
    for (const target of targets) expect(existsSync(new URL(target, root)), target).toBe(true);
  });
});
