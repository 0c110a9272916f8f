// The commands that put this program into hosts, and tell what of it is there.
import type { Commands, FlagsOf } from "../command.ts";
import { type CommonFlags, oneOf } from "../flags.ts";
import { HOSTS } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";

const PROGRAMS = HOSTS.map(({ program }) => program);
const HOST = ["<host>", PROGRAMS.join(", "), oneOf(PROGRAMS)] as const;
const DRY = ["--dry-run", "show what would be written, write nothing"] as const;

const INSTALL = [["--project", "for the project in this folder only"], DRY] as const;
export type InstallFlags = FlagsOf<typeof INSTALL>;

export const INSTALL_COMMANDS = (version: string): Commands => ({
  install: {
    about: "put the MCP server, the hooks and /compact-now into a host's own configuration",
    args: [HOST],
    flags: INSTALL,
    examples: ["agent-compact install claude --dry-run", "agent-compact install codex --project"],
    run: async () => (await import("./commands.ts")).installHost,
  },
  uninstall: {
    about: "take out of a host's configuration what install put there, and nothing else",
    args: [HOST],
    flags: [["--project", "of the project in this folder"], DRY],
    examples: ["agent-compact uninstall claude"],
    run: async () => (await import("./commands.ts")).uninstallHost,
  },
  doctor: {
    about:
      "tell what of this is in which host, whether it still works, and what to do next; exit 1 if something is broken",
    examples: ["agent-compact doctor", "agent-compact doctor --json"],
    run: async () => {
      const { examine } = await import("./doctor.ts");
      return (flags: CommonFlags, terminal: Terminal) => examine(flags, terminal, version);
    },
  },
  "status-line": {
    about: "one line for Claude Code: how full the window is, compactions so far, what the next would save",
    note: "\nClaude Code calls it with JSON on stdin; `agent-compact install claude` sets it up.\n",
    run: async () => (await import("./status-line.ts")).printStatusLine,
  },
});
