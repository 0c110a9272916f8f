// The built command as a process of its own, with its state in a folder of the caller's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ProxyStart {
  /** Of compact.yaml. */
  readonly config?: string;
  /** Flags of Node. */
  readonly node?: readonly string[];
}

export async function startBuiltProxy(
  upstream: string,
  state: string,
  args: readonly string[],
  { config = 'version: "1.0"\n', node = [] }: ProxyStart = {},
) {
  const file = join(state, "compact.yaml");
  writeFileSync(file, config);
  const child = spawn(
    process.execPath,
    [
      ...node,
      new URL("../../dist/cli/main.js", import.meta.url).pathname,
      ...["proxy", "--upstream", upstream, "--port", "0", "--state", join(state, "state"), "--json", "--quiet"],
      ...["--config", file, ...args],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const [line] = await once(child.stdout, "data");
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  return {
    url,
    pid: child.pid,
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
