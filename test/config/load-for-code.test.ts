// The configuration file for users of the library: what it says, `CompactManager` does.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CompactManager, loadConversationConfig } from "../../src/index.ts";
import { turns, user } from "../conversation/support.ts";

it("is found, laid over by the environment, and obeyed", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "compact-config-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const path = join(cwd, "kept");
  writeFileSync(
    join(cwd, "compact.yaml"),
    `model: gpt-4o\npolicy: {trigger_pct: 0.5, keep_recent_turns: 3}\nstorage: {path: ${JSON.stringify(path)}}\n`,
  );
  const config = await loadConversationConfig({ cwd, env: { COMPACT_KEEP_RECENT_TURNS: "2" } });
  expect(config).toMatchObject({ model: "gpt-4o", policy: { triggerPct: 0.5, keepRecentTurns: 2 }, archive: { path } });
  const manager = new CompactManager(config);
  const { report } = await manager.compact("s", [...turns(12), user("go on")]);
  await manager.flush();
  expect(report.kept.recent_turns).toBe(2);
  expect(existsSync(join(path, "s", "events.jsonl"))).toBe(true);
});

it("names file, line and field of what is wrong", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "compact-config-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, "compact.yaml"), "policy:\n  trigger_pct: 1.5\n");
  await expect(loadConversationConfig({ cwd, env: {} })).rejects.toThrow(
    /compact\.yaml:2.*policy\.trigger_pct must be 0\.0-1\.0/,
  );
});
