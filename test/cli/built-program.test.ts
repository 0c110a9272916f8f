// The program as it is installed, in a process of its own. Needs a build: `npm run build`.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newFolder } from "./command-line.ts";
import { chatConversation } from "./conversations.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const isBuilt = existsSync(program);

describe.skipIf(!isBuilt)(`the built program${isBuilt ? "" : " (skipped: no dist/cli/main.js)"}`, () => {
  const start = (argv: readonly string[], cwd: string, input?: string) =>
    spawnSync(process.execPath, [program, ...argv], {
      cwd,
      encoding: "utf8",
      ...(input === undefined ? {} : { input }),
    });

  it("compacts a file and exits with 0", () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "talk.json"), JSON.stringify(chatConversation(40)));
    expect(start(["conversation", "talk.json", "--target-tokens", "3000", "--quiet"], cwd)).toMatchObject({
      status: 0,
      stdout: "talk.compacted.json\n",
      stderr: "",
    });
    expect(readdirSync(cwd).sort()).toEqual([".compact", "talk.compacted.json", "talk.json"]);
  });

  it("reads a pipe, writes a pipe, and keeps large results whole", () => {
    const { status, stdout } = start(
      ["conversation", "-", "--out", "-", "--if-needed", "--max-context-tokens", "10000000"],
      newFolder(),
      JSON.stringify(chatConversation(400)),
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1601);
  });

  it("exits with 2 and a line for what it cannot read, and knows its version", () => {
    const cwd = newFolder();
    const missing = start(["conversation", "nowhere.json"], cwd);
    expect(missing).toMatchObject({ status: 2, stdout: "" });
    expect(missing.stderr).toMatch(/^agent-compact: nowhere\.json does not exist/);
    expect(start(["--version"], cwd).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
