// The commands that put this program into hosts, and tell what of it is there.
import { Argument, type Command } from "commander";
import { type CommonFlags, example, oneOf } from "../flags.ts";
import { HOSTS } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";
import type { InstallFlags } from "./commands.ts";

const COMMAND = "agent-compact";
const PROGRAMS = HOSTS.map(({ program }) => program);

export function addInstallCommands(program: Command, terminal: Terminal): void {
  const host = () => new Argument("<host>", PROGRAMS.join(", ")).argParser(oneOf("HOST", PROGRAMS));
  program
    .command("install")
    .description("put the MCP server, the hooks and /compact-now into a host's own configuration")
    .addArgument(host())
    .option("--project", "for the project in this folder only")
    .option("--dry-run", "show what would be written, write nothing")
    .addHelpText("after", example(`${COMMAND} install claude --dry-run`, `${COMMAND} install codex --project`))
    .action(async (name: string, _flags: unknown, self: Command) => {
      const { installHost } = await import("./commands.ts");
      await installHost(name, self.optsWithGlobals<InstallFlags>(), terminal);
    });
  program
    .command("uninstall")
    .description("take out of a host's configuration what install put there, and nothing else")
    .addArgument(host())
    .option("--project", "of the project in this folder")
    .option("--dry-run", "show what would be written, write nothing")
    .addHelpText("after", example(`${COMMAND} uninstall claude`))
    .action(async (name: string, _flags: unknown, self: Command) => {
      const { uninstallHost } = await import("./commands.ts");
      await uninstallHost(name, self.optsWithGlobals<InstallFlags>(), terminal);
    });
  program
    .command("doctor")
    .description(
      "tell what of this is in which host, whether it still works, and what to do next; exit 1 if something is broken",
    )
    .addHelpText("after", example(`${COMMAND} doctor`, `${COMMAND} doctor --json`))
    .action(async (_flags: unknown, self: Command) => {
      const { examine } = await import("./doctor.ts");
      await examine(self.optsWithGlobals<CommonFlags>(), terminal, program.version() ?? "");
    });
  program
    .command("status-line")
    .description("one line for Claude Code: how full the window is, compactions so far, what the next would save")
    .addHelpText("after", "\nClaude Code calls it with JSON on stdin; `agent-compact install claude` sets it up.\n")
    .action(async () => {
      const { printStatusLine } = await import("./status-line.ts");
      await printStatusLine(terminal);
    });
}
