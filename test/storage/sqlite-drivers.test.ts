// Which SQLite is used: Node's own where there is one, else the package, else an error that says what to do. Nothing is
// printed in any case.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements/verifies.ts";

const RUN = fileURLToPath(new URL("../observations/children/run.mjs", import.meta.url));
const CHILD = fileURLToPath(new URL("children/open-driver.ts", import.meta.url));
const WITHOUT = new URL("children/without-packaged-sqlite.mjs", import.meta.url).href;
const hasOwn = process.getBuiltinModule("node:sqlite") !== undefined;

function run(...options: readonly string[]) {
  const { stdout, stderr } = spawnSync(process.execPath, [...options, RUN, CHILD], { encoding: "utf8" });
  return { said: JSON.parse(stdout), stderr };
}

describe("the driver", () => {
  it("is Node's own where there is one, and is loaded without its warning", () => {
    const { said, stderr } = run();
    expect(said).toEqual({ name: hasOwn ? "node:sqlite" : "@photostructure/sqlite", answer: 1 });
    expect(stderr).not.toContain("SQLite");
    expect(stderr).toContain("still heard");
  });

  it("needs no package where Node has one, and names the ways out where it has none", () => {
    verifies("field/native-module-does-not-load");
    const { said } = run("--import", WITHOUT);
    expect(said).toEqual(
      hasOwn
        ? { name: "node:sqlite", answer: 1 }
        : {
            kind: "MissingDependency",
            message: "no SQLite: this Node brings none, and @photostructure/sqlite is not installed",
            hint: "Use Node 22.13 or later, or run `npm install @photostructure/sqlite`.",
          },
    );
  });
});
