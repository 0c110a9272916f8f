// The command that hosts call, its flags and its help.
import type { Command } from "commander";
import type { HookFlags } from "../commands/hook/run-hook.ts";
import { filledText, oneOf } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import { example } from "./command-parts.ts";

const HOSTS = ["claude-code", "codex"] as const;

export function addHookCommand(program: Command, terminal: Terminal): void {
  program
    .command("hook")
    .description("archive a session before Claude Code or Codex compacts it, and give the facts back after")
    .option("--print <host>", `print the settings for ${HOSTS.join(" or ")}`, oneOf("--print", HOSTS))
    .option("--archive-dir <dir>", "the archive's folder (.compact/archive)", filledText("--archive-dir"))
    .addHelpText("after", EVENTS + example("agent-compact hook --print claude-code"))
    .action(async (_flags: unknown, self: Command) => {
      const { runHook } = await import("../commands/hook/run-hook.ts");
      await runHook(self.optsWithGlobals<HookFlags>(), terminal);
    });
}

const EVENTS = `
The host calls it with an event's JSON on stdin: PreCompact archives, SessionStart after a compaction prints the record,
any other event does nothing. Whatever fails exits with 1, which never stops a host.
`;
