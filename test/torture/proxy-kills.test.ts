// The proxy, stopped at random moments of a conversation: the one that is started after it answers the next request, with a
// valid list, and what it had archived is whole. A few stops by default, a hundred by `npm run torture`.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProvider } from "../proxy/provider.ts";
import { ask, conversation } from "../proxy/support.ts";
import { isBuilt, newFolder, program } from "./victims.ts";

const KILLS = Number(process.env.AGENT_TORTURE_KILLS ?? 4);
/** Of a conversation of this many turns, compacted a few times in a window of 8,000. */
const TURNS = 40;

async function start(upstream: string, state: string) {
  const child = spawn(
    process.execPath,
    [
      program,
      "proxy",
      "--upstream",
      upstream,
      "--port",
      "0",
      "--state",
      state,
      "--max-context-tokens",
      "8000",
      "--json",
      "--quiet",
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const ended = once(child, "exit");
  const [line] = await once(child.stdout, "data");
  return { url: String(JSON.parse(String(line)).url), child, ended };
}

describe.skipIf(!isBuilt)(`the proxy, killed ${KILLS} times${isBuilt ? "" : " (skipped: no build)"}`, () => {
  it("answers the next request", { timeout: 60_000 + KILLS * 20_000 }, async () => {
    const provider = await startProvider({ window: 8_000 });
    onTestFinished(() => provider.close());
    const state = newFolder();
    let turn = 1;
    for (let kill = 1; kill <= KILLS; kill++) {
      const { url, child, ended } = await start(provider.address, state);
      const stop = pause(30 + Math.random() * 500).then(() => child.kill("SIGKILL"));
      // More than one conversation, so that many kills meet a compaction.
      while (child.exitCode === null && child.signalCode === null) {
        const told = await ask(url, conversation(turn, `run${kill}`)).catch(() => undefined);
        if (told !== undefined) expect(told.status).toBe(200);
        turn = (turn % TURNS) + 1;
        await pause(1);
      }
      await stop;
      await ended;
      const next = await start(provider.address, state);
      const { status } = await ask(next.url, conversation(turn, `run${kill}`));
      next.child.kill("SIGTERM");
      await next.ended;
      expect(status).toBe(200);
      expect(provider.heard.flatMap(({ violations }) => violations)).toEqual([]);
      for (const name of readdirSync(join(state, "heads"), { recursive: true, encoding: "utf8" })) {
        if (name.endsWith(".json"))
          expect(() => JSON.parse(readFileSync(join(state, "heads", name), "utf8"))).not.toThrow();
      }
    }
    // However early the kills came, something was compacted in the end.
    const last = await start(provider.address, state);
    for (let length = 1; length <= TURNS; length++) await ask(last.url, conversation(length, "last"));
    last.child.kill("SIGTERM");
    await last.ended;
    const archive = (...words: readonly string[]) =>
      spawnSync(process.execPath, [program, "archive", ...words, "--archive-dir", join(state, "archive")], {
        encoding: "utf8",
      });
    // A conversation that nobody went on with may have been stopped before it was written what it would go on from.
    const { faults } = JSON.parse(archive("verify", "--json").stdout) as {
      faults: { kind: string; severity: string }[];
    };
    expect(faults.filter(({ kind, severity }) => severity === "error" && kind !== "state_unreadable")).toEqual([]);
    expect(archive("repair").status).toBe(0);
    const verified = archive("verify");
    expect(verified.stdout).toMatch(/^All is well|^warning/);
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
  });
});
