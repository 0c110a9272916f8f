// `npm ci` in a checkout builds dist/, which needs the development dependencies.
import { existsSync } from "node:fs";

if (existsSync(new URL("../node_modules/tsdown", import.meta.url))) {
  const { build } = await import("tsdown");
  await build({ logLevel: "error" });
} else {
  console.error(
    "A checkout is built when it is installed, with its development dependencies: run `npm ci` without --omit=dev.",
  );
  console.error(
    "To use agent-compact without them, install the package: `npm pack` here, then `npm install FILE.tgz` elsewhere.",
  );
  process.exitCode = 1;
}
