// Builds the program of the tests' own tools once for a test file, so that its processes start as fast as the real one.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { beforeAll } from "vitest";

const source = fileURLToPath(new URL("./programs/tool-server.ts", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

/** What follows `node` on the command line. Below node_modules, so that dependencies are found from there. */
export function builtToolServer(): readonly string[] {
  const cache = join(root, "node_modules", ".cache", "agent-compact");
  const argv: string[] = [];
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    const outDir = mkdtempSync(join(cache, "tool-server-"));
    await build({
      cwd: root,
      config: false,
      entry: { "tool-server": source },
      outDir,
      format: "esm",
      platform: "node",
      target: "node20.19",
      fixedExtension: false,
      dts: false,
      clean: false,
      logLevel: "error",
    });
    argv.push(join(outDir, "tool-server.js"));
    return () => rmSync(outDir, { recursive: true, force: true });
  }, 60_000);
  return argv;
}
