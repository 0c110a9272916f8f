// The commands over an agent's Markdown memory, their flags and their help.
import type { Command, Option } from "commander";
import { COMMAND_LINE_MAX_MEMORY_KB } from "../../memory-files/options.ts";
import { addCommand, type FlagsOf } from "../command.ts";
import { kilobytes } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

const COMMAND = "agent-compact memory-files";

const COMPACT = [
  ["--apply", "do what is planned; without it nothing is written"],
  ["--aggressive", "repeated lines, blank runs and all but the last of a series leave the memory too"],
  ["--max-memory-kb <n>", `kilobytes that the memory may have (${COMMAND_LINE_MAX_MEMORY_KB})`, kilobytes],
  ["--memory-file <file>", "the memory, from the workspace (MEMORY.md)"],
  ["--notes-glob <glob>", "the notes, from the workspace (memory/YYYY-MM-DD*.md)"],
  ["--contained", "sections of notes go that a larger memory holds word for word"],
  ["--move", "the oldest dated sections of the memory move to the archive, down to its limit"],
  ["--digest", "the notes of each past month become one digest"],
  ["--more-than-half", "more than half of a file may go"],
  ["--plan-out <file>", "write the plan to a file, change nothing; - for stdout"],
  ["--plan <file>", "carry out this plan; - for stdin"],
  ["--claude [dir]", "look at Claude Code's own memory instead: what of it is never read (of all projects)"],
] as const;
export type CompactFlags = FlagsOf<typeof COMPACT>;

export function addMemoryFileCommands(program: Command, terminal: Terminal): void {
  const command = addCommand(program, terminal, "memory-files", {
    about: "show what fills MEMORY.md and its notes, and make them smaller without a loss",
    args: [["[workspace]", "folder of MEMORY.md (this one, or auto: as the environment names it)"]],
    flags: COMPACT,
    examples: [
      `${COMMAND} ~/agent`,
      `${COMMAND} ~/agent --aggressive --apply`,
      `${COMMAND} ~/agent --plan-out plan.json`,
      `${COMMAND} --claude`,
      `${COMMAND} restore ~/agent`,
    ],
    run: async () => async (workspace: string | undefined, flags: CompactFlags) => {
      if (flags.claude === undefined)
        return (await import("./compact.ts")).compactWorkspace(workspace, flags, terminal);
      const named = [flags.claude, workspace].filter((each) => typeof each === "string");
      return (await import("./claude.ts")).showClaudeMemory(named, { ...flags }, terminal);
    },
  });
  addCommand(command, terminal, "restore", {
    about: "bring back what left; without an id, list what can be",
    args: [
      ["<workspace>", "folder of MEMORY.md, or auto"],
      ["[ids...]", "changes (3.1) or runs (3) to undo, as an apply and the list name them"],
    ],
    flags: [["--all", "undo every change"]],
    examples: [`${COMMAND} restore ~/agent`, `${COMMAND} restore ~/agent 3.1 3.2`],
    run: async () => (await import("./restore.ts")).restoreWorkspace,
    // Commander would list the flags of `memory-files` here, too; they do not apply to restore.
  }).configureHelp({ showGlobalOptions: true, visibleGlobalOptions: ofProgram });
}

function ofProgram(command: Command): Option[] {
  const program = command.parent?.parent;
  return program == null ? [] : program.options.filter(({ hidden }) => !hidden);
}
