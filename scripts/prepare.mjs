// `npm ci` in a checkout builds dist/, which needs the development dependencies. `npx agent-compact` there would build it
// once more.
import { existsSync } from "node:fs";

const has = (path) => existsSync(new URL(`../${path}`, import.meta.url));

if (process.env.npm_command === "exec" && has("dist/cli/main.js")) {
  // Nothing to do.
} else if (has("node_modules/tsdown")) {
  const { build } = await import("tsdown");
  await build({ logLevel: "error" });
} else {
  console.error("A checkout is built as it is installed, which needs its development dependencies: run `npm ci`.");
  console.error("To use the product without them: `npm pack` after that, and `npm install FILE.tgz` elsewhere.");
  process.exitCode = 1;
}
