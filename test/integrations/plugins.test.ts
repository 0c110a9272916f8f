// The plugin for opencode, called as opencode calls it, and the files of the one for Claude Code; e2e/hosts runs them there.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hookSettings } from "../../src/cli/hosts.ts";
import { compactInOpencode } from "../../src/integrations/opencode.ts";
import { MADE_SESSIONS } from "../cli/sessions/made-sessions.ts";
import { workInOwnFolder } from "./own-folder.ts";

const made = JSON.parse(MADE_SESSIONS.find(({ host }) => host === "opencode")?.text ?? "");

describe("the plugin for opencode", () => {
  const { cwd, blockArchive } = workInOwnFolder();

  async function compactions(count: number) {
    const told: string[] = [];
    const hooks = await compactInOpencode({
      directory: cwd(),
      client: {
        session: { messages: async () => ({ data: made.messages }) },
        app: { log: async ({ body }) => void told.push(body.message) },
      },
    });
    const output = { context: [] as string[] };
    for (let at = 0; at < count; at += 1)
      await hooks["experimental.session.compacting"]({ sessionID: made.info.id }, output);
    return { told, context: output.context };
  }

  it("adds to the prompt what the summary has to keep", async () => {
    const { told, context } = await compactions(1);
    expect(told).toEqual([]);
    expect(context).toEqual([expect.stringMatching(/^Your summary has to keep [\s\S]*Never change the tariff file/)]);
    expect(context[0]?.length).toBeLessThan(9000);
  });

  it("adds nothing where it fails, and says so once in opencode's log", async () => {
    blockArchive();
    const { told, context } = await compactions(2);
    expect(context).toEqual([]);
    expect(told).toHaveLength(1);
  });
});

describe("the plugin for Claude Code", () => {
  const json = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../plugins/claude-code/${name}`, import.meta.url), "utf8"));

  it("sets up the hooks that `hook --print` prints, and our server", () => {
    expect(json("hooks/hooks.json")).toEqual(hookSettings("claude-code"));
    expect(json(".mcp.json")).toEqual({ mcpServers: { memory: { command: "agent-compact", args: ["mcp"] } } });
  });
});
