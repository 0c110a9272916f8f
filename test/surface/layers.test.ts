// The sources obey the layer table; and each rule of the checker is shown failing on a small made-up tree.
import { describe, expect, it } from "vitest";
import { checkCeilings } from "../../scripts/ceilings.ts";
import { checkLayers } from "../../scripts/layer-check.ts";
import { layers, renderLayerTable } from "../../scripts/layers.ts";
import { filesBelow, readRepository } from "../../scripts/source-files.ts";

function layersOf(files: Record<string, string>): string[] {
  return checkLayers(new Map(Object.entries(files)));
}

function ceilingsOf(files: Record<string, string>): string[] {
  return checkCeilings(new Map(Object.entries(files)));
}

describe("the sources of this repository", () => {
  const sources = filesBelow(readRepository(), "src", ".ts");

  it("are found", () => {
    expect(sources.has("errors.ts")).toBe(true);
  });

  it("obey the layer table and the rules of imports", () => {
    expect(checkLayers(sources)).toEqual([]);
  });

  it("stay below the ceilings", () => {
    expect(checkCeilings(sources)).toEqual([]);
  });
});

describe("the layer checker", () => {
  const target = "export const x = 1;\n";

  it("accepts what the table allows", () => {
    const files = {
      "errors.ts": target,
      "tokens/token-counter.ts": `import { x } from "../errors.ts";\nexport const y = x;\n`,
      "facts/ledger.ts": `import { y } from "../tokens/token-counter.ts";\nexport const z = y;\n`,
      "cli/main.ts": `import { z } from "../facts/ledger.ts";\nconsole.log(z);\n`,
    };
    expect(layersOf(files)).toEqual([]);
  });

  it.each([
    ["upwards", "text/cut.ts", "../tokens/count.ts", "tokens/count.ts"],
    ["sideways inside a layer", "tokens/count.ts", "../facts/ledger.ts", "facts/ledger.ts"],
    ["from one part to another", "conversation/fit.ts", "../decisions/level.ts", "decisions/level.ts"],
    ["from a part to the configuration", "conversation/fit.ts", "../config/schema.ts", "config/schema.ts"],
  ])("refuses an import %s", (_direction, from, specifier, to) => {
    const violations = layersOf({ [from]: `import { x } from "${specifier}";\nexport const y = x;\n`, [to]: target });
    expect(violations).toEqual([`${from}:1 may not import ${to}: see scripts/layers.ts`]);
  });

  it.each([["import type { X }"], ["export * as x"], ["export type { X }"]])("refuses it written as %s", (form) => {
    const violations = layersOf({ "text/cut.ts": `${form} from "../tokens/count.ts";\n`, "tokens/count.ts": target });
    expect(violations).toHaveLength(1);
  });

  it("refuses it written as a dynamic import", () => {
    const text = `export const load = () => import("../tokens/count.ts");\n`;
    expect(layersOf({ "text/cut.ts": text, "tokens/count.ts": target })).toHaveLength(1);
  });

  it("refuses an implementation where only contracts are seen, and accepts the contract", () => {
    const importing = (name: string) => `import { x } from "../archive/${name}";\nexport const y = x;\n`;
    const files = { "archive/archive.ts": target, "archive/archives.ts": target };
    expect(layersOf({ ...files, "conversation/a.ts": importing("archive.ts") })).toEqual([]);
    expect(layersOf({ ...files, "conversation/a.ts": importing("archives.ts") })).toEqual([
      "conversation/a.ts:1 imports the implementation archive/archives.ts: take its contract",
    ]);
    expect(layersOf({ ...files, "factories/x.ts": `export { x } from "../archive/archives.ts";\n` })).toEqual([]);
  });

  it("refuses a folder that is in no layer, a missing file and a file outside", () => {
    expect(layersOf({ "extra/a.ts": target })).toHaveLength(1);
    expect(layersOf({ "text/a.ts": `export * from "./b.ts";\n` })).toHaveLength(1);
    expect(layersOf({ "text/a.ts": `export * from "../b.ts";\n` })).toHaveLength(1);
  });

  it("refuses an import of an index.ts", () => {
    const violations = layersOf({ "cli/main.ts": `import { x } from "../index.ts";\nx();\n`, "index.ts": target });
    expect(violations).toEqual(["cli/main.ts:1 imports an index.ts: name the file itself"]);
  });

  it("refuses cycles of values and of types, but not a dynamic import back", () => {
    const a = (form: string) => ({ "text/a.ts": `${form}\nexport const a = 1;\n` });
    const b = { "text/b.ts": `import { a } from "./a.ts";\nexport const b = a;\n` };
    const cycle = ["text/a.ts:1 import cycle: text/a.ts -> text/b.ts -> text/a.ts"];
    expect(layersOf({ ...a(`import { b } from "./b.ts";`), ...b })).toEqual(cycle);
    expect(layersOf({ ...a(`import type { b } from "./b.ts";`), ...b })).toEqual(cycle);
    expect(layersOf({ ...a(`export const load = () => import("./b.ts");`), ...b })).toEqual([]);
  });

  it("refuses a static Node built-in below a public entry only", () => {
    const files = (text: string) => ({ "index.ts": `export { x } from "./text/a.ts";\n`, "text/a.ts": text });
    expect(layersOf(files(`import { join } from "node:path";\nexport const x = join("a");\n`))).toHaveLength(1);
    expect(layersOf(files(`import { join } from "path";\nexport const x = join("a");\n`))).toHaveLength(1);
    expect(layersOf(files(`import type { Stats } from "node:fs";\nexport type x = Stats;\n`))).toEqual([]);
    expect(layersOf(files(`export const x = () => import("node:path");\n`))).toEqual([]);
    expect(layersOf({ "text/a.ts": `import { join } from "node:path";\nexport const x = join("a");\n` })).toEqual([]);
  });

  it("counts an import with only inline types as static, since its module is still loaded", () => {
    const text = `import { type Stats } from "node:fs";\nexport type x = Stats;\n`;
    expect(layersOf({ "index.ts": `export { type x } from "./text/a.ts";\n`, "text/a.ts": text })).toHaveLength(1);
  });

  it.each([
    ["a default export", "export default 1;\n"],
    ["a default function", "export default function x() {}\n"],
    ["a name exported as default", "const x = 1;\nexport { x as default };\n"],
    ["console", "export const x = () => console.log(1);\n"],
    ["process.env", "export const x = () => process.env.HOME;\n"],
    ["process.env in brackets", `export const x = () => process["env"];\n`],
    ["a call at import time", "setTimeout(() => 1);\n"],
    ["a loop at import time", "for (const x of [1]) x;\n"],
  ])("refuses %s", (_what, text) => {
    expect(layersOf({ "text/a.ts": text })).toHaveLength(1);
  });

  it("leaves console, the environment and the start of the program to their places", () => {
    expect(layersOf({ "trace/console-sink.ts": "export const x = () => console.error(1);\n" })).toEqual([]);
    expect(layersOf({ "config/environment.ts": "export const x = () => process.env.HOME;\n" })).toEqual([]);
    expect(layersOf({ "cli/main.ts": "start();\nfunction start() {}\n" })).toEqual([]);
    expect(layersOf({ "cli/other.ts": "start();\nfunction start() {}\n" })).toHaveLength(1);
  });
});

describe("the ceilings", () => {
  it("refuse a file of 401 lines and accept one of 400, a prompt and a generated file", () => {
    const long = "export {};\n".repeat(401);
    expect(ceilingsOf({ "text/a.ts": long })).toHaveLength(1);
    expect(ceilingsOf({ "text/a.ts": "export {};\n".repeat(400) })).toEqual([]);
    expect(ceilingsOf({ "summaries/task-prompt.ts": long, "tokens/ranks.generated.ts": long })).toEqual([]);
  });

  it("refuse hollow names, but not the one that the specification gives", () => {
    expect(ceilingsOf({ "text/cut-utils.ts": "" })).toHaveLength(1);
    expect(ceilingsOf({ "helpers/cut.ts": "" })).toHaveLength(1);
    expect(ceilingsOf({ "conversation/compact-manager.ts": "" })).toEqual([]);
  });
});

describe("the rendered layer table", () => {
  it("has one row a layer and names every member", () => {
    const table = renderLayerTable();
    expect(table.split("\n")).toHaveLength(layers.length + 2);
    for (const member of layers.flatMap((layer) => layer.members)) expect(table).toContain(`\`${member}`);
  });
});
