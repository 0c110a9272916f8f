// The archive's commands, their flags and their help.
import type { Command } from "commander";
import type { RestoreFlags, SearchFlags } from "../commands/archive.ts";
import { filledText, wholeNumber } from "../flags.ts";
import type { ArchiveFlags } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";
import { example, withArchive } from "./command-parts.ts";

const COMMAND = "agent-compact archive";

export function addArchiveCommands(program: Command, terminal: Terminal): void {
  const archive = program
    .command("archive")
    .description("look into what compactions left behind, and get it back")
    .addHelpText("after", example(`${COMMAND} list`));
  addLooking(archive, terminal);
  addGettingBack(archive, terminal);
}

function addLooking(archive: Command, terminal: Terminal): void {
  withArchive(archive.command("list").description("the sessions in the archive"))
    .addHelpText("after", example(`${COMMAND} list`))
    .action(async (_flags: unknown, self: Command) => {
      const { listArchive } = await import("../commands/archive.ts");
      await listArchive(self.optsWithGlobals<ArchiveFlags>(), terminal);
    });
  withArchive(
    archive
      .command("show")
      .description("the steps of one session")
      .argument("[session]", "may be left out when there is only one"),
  )
    .addHelpText("after", example(`${COMMAND} show talk-1f2e3d4c`))
    .action(async (session: string | undefined, _flags: unknown, self: Command) => {
      const { showSession } = await import("../commands/archive.ts");
      await showSession(session, self.optsWithGlobals<ArchiveFlags>(), terminal);
    });
  withArchive(archive.command("verify").description("check that everything in the archive can be read"))
    .addHelpText("after", example(`${COMMAND} verify`))
    .action(async (_flags: unknown, self: Command) => {
      const { verifySessions } = await import("../commands/archive.ts");
      await verifySessions(self.optsWithGlobals<ArchiveFlags>(), terminal);
    });
}

function addGettingBack(archive: Command, terminal: Terminal): void {
  withArchive(
    archive
      .command("search")
      .description("find messages by their words")
      .argument("<words...>", 'all must occur; "a phrase" as a whole'),
  )
    .option("--limit <n>", "most places to show (20)", wholeNumber("--limit", 1))
    .addHelpText("after", example(`${COMMAND} search "rate limit"`))
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const { searchSessions } = await import("../commands/archive.ts");
      await searchSessions(words, self.optsWithGlobals<SearchFlags>(), terminal);
    });
  withArchive(
    archive
      .command("expand")
      .description("show messages as they were")
      .argument("<ref>", "1.12 for message 12 of step 1, 1.12-20, or 1"),
  )
    .addHelpText("after", example(`${COMMAND} expand 1.12 --session-id talk-1f2e3d4c`))
    .action(async (reference: string, _flags: unknown, self: Command) => {
      const { expandMessages } = await import("../commands/archive.ts");
      await expandMessages(reference, self.optsWithGlobals<ArchiveFlags>(), terminal);
    });
  withArchive(
    archive
      .command("restore")
      .description("write the original conversation")
      .argument("[step]", "that step's transcript; without it the whole history"),
  )
    .option("--out <file>", "where to write; - for stdout", filledText("--out"))
    .addHelpText("after", example(`${COMMAND} restore --session-id talk-1f2e3d4c --out talk.json`))
    .action(async (step: string | undefined, _flags: unknown, self: Command) => {
      const { restoreSession } = await import("../commands/archive.ts");
      await restoreSession(step, self.optsWithGlobals<RestoreFlags>(), terminal);
    });
}
