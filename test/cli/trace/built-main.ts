// Builds the program once for a test file, beside and not over what `npm run build` makes.
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { beforeAll } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What follows `node` on the command line. Below node_modules, so that dependencies are found from there. */
export function builtMain(): readonly string[] {
  const cache = join(root, "node_modules", ".cache", "agent-compact");
  const argv: string[] = [];
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, "main-"));
    await build({
      cwd: root,
      config: false,
      // As the build has them: the second, which the first imports late, finds package.json from where it stands.
      entry: { "cli/main": join(root, "src", "cli", "main.ts"), "cli/run": join(root, "src", "cli", "run.ts") },
      outDir: join(folder, "dist"),
      format: "esm",
      platform: "node",
      target: "node20.19",
      fixedExtension: false,
      dts: false,
      clean: false,
      logLevel: "error",
    });
    copyFileSync(join(root, "package.json"), join(folder, "package.json"));
    cpSync(join(root, "src", "tokens", "ranks"), join(folder, "dist", "ranks"), { recursive: true });
    argv.push(join(folder, "dist", "cli", "main.js"));
    return () => rmSync(folder, { recursive: true, force: true });
  }, 60_000);
  return argv;
}
