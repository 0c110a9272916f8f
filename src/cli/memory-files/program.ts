// The commands over an agent's Markdown memory, their flags and their help.
import type { Command, Option } from "commander";
import { COMMAND_LINE_MAX_MEMORY_KB } from "../../memory-files/options.ts";
import { example, filledText, kilobytes } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import type { CompactFlags } from "./compact.ts";
import type { RestoreFlags } from "./restore.ts";

const COMMAND = "agent-compact memory-files";

export function addMemoryFileCommands(program: Command, terminal: Terminal): void {
  const command = program
    .command("memory-files")
    .description("show what fills MEMORY.md and its notes, and make them smaller without a loss")
    .argument("[workspace]", "folder of MEMORY.md (this one, or auto: as the environment names it)")
    .option("--apply", "do what is planned; without it nothing is written")
    .option("--aggressive", "repeated lines, blank runs and all but the last of a series leave the memory too")
    .option(
      "--max-memory-kb <n>",
      `kilobytes that the memory may have (${COMMAND_LINE_MAX_MEMORY_KB})`,
      kilobytes("--max-memory-kb"),
    )
    .option("--memory-file <file>", "the memory, from the workspace (MEMORY.md)", filledText("--memory-file"))
    .option("--notes-glob <glob>", "the notes, from the workspace (memory/YYYY-MM-DD*.md)", filledText("--notes-glob"))
    .option("--contained", "sections of notes go that a larger memory holds word for word")
    .option("--move", "the oldest dated sections of the memory move to the archive, down to its limit")
    .option("--digest", "the notes of each past month become one digest")
    .option("--more-than-half", "more than half of a file may go")
    .option("--plan-out <file>", "write the plan to a file, change nothing; - for stdout", filledText("--plan-out"))
    .option("--plan <file>", "carry out this plan; - for stdin", filledText("--plan"))
    .option("--claude [dir]", "look at Claude Code's own memory instead: what of it is never read (of all projects)")
    .addHelpText(
      "after",
      example(
        `${COMMAND} ~/agent`,
        `${COMMAND} ~/agent --aggressive --apply`,
        `${COMMAND} ~/agent --plan-out plan.json`,
        `${COMMAND} --claude`,
        `${COMMAND} restore ~/agent`,
      ),
    )
    .allowExcessArguments()
    .action(async (workspace: string | undefined, _flags: unknown, self: Command) => {
      const { refuseWords } = await import("./open-memory-files.ts");
      refuseWords(self.args);
      const flags = self.optsWithGlobals<CompactFlags & { claude?: string | true }>();
      if (flags.claude !== undefined) {
        const { showClaudeMemory } = await import("./claude.ts");
        const named = [flags.claude, workspace].filter((each) => typeof each === "string");
        return showClaudeMemory(named, { ...flags }, terminal);
      }
      const { compactWorkspace } = await import("./compact.ts");
      await compactWorkspace(workspace, flags, terminal);
    });
  addRestore(command, terminal);
}

function ofProgram(command: Command): Option[] {
  const program = command.parent?.parent;
  return program == null ? [] : program.options.filter(({ hidden }) => !hidden);
}

function addRestore(memoryFiles: Command, terminal: Terminal): void {
  memoryFiles
    .command("restore")
    .description("bring back what left; without an id, list what can be")
    .argument("<workspace>", "folder of MEMORY.md, or auto")
    .argument("[ids...]", "changes (3.1) or runs (3) to undo, as an apply and the list name them")
    .option("--all", "undo every change")
    // Commander would list the flags of `memory-files` here, too; they do not apply to restore.
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: ofProgram })
    .addHelpText("after", example(`${COMMAND} restore ~/agent`, `${COMMAND} restore ~/agent 3.1 3.2`))
    .action(async (workspace: string, ids: string[], _flags: unknown, self: Command) => {
      const { restoreWorkspace } = await import("./restore.ts");
      await restoreWorkspace(workspace, ids, self.optsWithGlobals<RestoreFlags>(), terminal);
    });
}
