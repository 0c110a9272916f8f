// The archive's commands, their flags and their help.
import type { Command } from "commander";
import { byteCount, days, example, filledText, wholeNumber, withArchive } from "../flags.ts";
import type { ArchiveFlags } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";
import type { RestoreFlags, SearchFlags, ShowFlags } from "./archive.ts";
import type { CollectFlags } from "./gc.ts";
import type { EraseFlags } from "./upkeep.ts";

const COMMAND = "agent-compact archive";

export function addArchiveCommands(program: Command, terminal: Terminal): void {
  const archive = program
    .command("archive")
    .description("look into what compactions left behind, and get it back")
    .addHelpText("after", example(`${COMMAND} list`));
  addLooking(archive, terminal);
  addGettingBack(archive, terminal);
  addCollecting(archive, terminal);
  addUpkeep(archive, terminal);
}

function addLooking(archive: Command, terminal: Terminal): void {
  withArchive(archive.command("list").description("the sessions in the archive"))
    .addHelpText("after", example(`${COMMAND} list`))
    .action(async (_flags: unknown, self: Command) => {
      const { listArchive } = await import("./archive.ts");
      await listArchive(self.optsWithGlobals<ArchiveFlags>(), terminal);
    });
  withArchive(
    archive
      .command("show")
      .description("the steps of one session")
      .argument("[session]", "may be left out when there is only one"),
  )
    .option("--html <file>", "its whole history as one page that opens without a network", filledText("--html"))
    .addHelpText("after", example(`${COMMAND} show talk-1f2e3d4c`))
    .action(async (session: string | undefined, _flags: unknown, self: Command) => {
      const { showSession } = await import("./archive.ts");
      await showSession(session, self.optsWithGlobals<ShowFlags>(), terminal);
    });
  withArchive(
    archive.command("verify").description("check that everything in the archive can be read and is as it was written"),
  )
    .addHelpText("after", example(`${COMMAND} verify`))
    .action(async (_flags: unknown, self: Command) => {
      const { verifySessions } = await import("./archive.ts");
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
      const { searchSessions } = await import("./archive.ts");
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
      const { expandMessages } = await import("./archive.ts");
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
      const { restoreSession } = await import("./archive.ts");
      await restoreSession(step, self.optsWithGlobals<RestoreFlags>(), terminal);
    });
}

function addCollecting(archive: Command, terminal: Terminal): void {
  archive
    .command("gc")
    .description("show what a limit would remove from the archive; remove it with --apply")
    .option("--max-age-days <n>", "steps that are older leave", days("--max-age-days"))
    .option(
      "--max-bytes <n>",
      "the oldest steps leave while the archive is larger; 500MB, 2GB",
      byteCount("--max-bytes"),
    )
    .option("--apply", "remove them for good")
    .option("--archive-dir <dir>", "the archive's folder (.compact/archive)", filledText("--archive-dir"))
    .addHelpText("after", NEVER + example(`${COMMAND} gc --max-age-days 90`, `${COMMAND} gc --max-bytes 2GB --apply`))
    .action(async (_flags: unknown, self: Command) => {
      const { collectSteps } = await import("./gc.ts");
      await collectSteps(self.optsWithGlobals<CollectFlags>(), terminal);
    });
}

function addUpkeep(archive: Command, terminal: Terminal): void {
  archive
    .command("erase")
    .description("show what the archive holds of a session; erase all of it with --apply")
    .argument("<session>", "its id")
    .option("--apply", "erase it for good, with a line in erased.jsonl")
    .option("--dry-run", "only show, as without --apply")
    .option("--archive-dir <dir>", "the archive's folder (.compact/archive)", filledText("--archive-dir"))
    .addHelpText("after", example(`${COMMAND} erase talk-1f2e3d4c`, `${COMMAND} erase talk-1f2e3d4c --apply`))
    .action(async (session: string, _flags: unknown, self: Command) => {
      const { eraseSession } = await import("./upkeep.ts");
      await eraseSession(session, self.optsWithGlobals<EraseFlags>(), terminal);
    });
  withArchive(archive.command("repair").description("make states that are damaged anew from the archived steps"))
    .addHelpText("after", example(`${COMMAND} repair`))
    .action(async (_flags: unknown, self: Command) => {
      const { repairSessions } = await import("./upkeep.ts");
      await repairSessions(self.optsWithGlobals<ArchiveFlags>(), terminal);
    });
  withArchive(archive.command("repack").description("store once what earlier versions stored with every step"))
    .addHelpText("after", example(`${COMMAND} repack --session-id talk-1f2e3d4c`))
    .action(async (_flags: unknown, self: Command) => {
      const { repackSessions } = await import("./upkeep.ts");
      await repackSessions(self.optsWithGlobals<ArchiveFlags>(), terminal);
    });
}

const NEVER = `
Without a flag the limits are those of the configuration (storage.retention). The newest step of a session never leaves,
nor does the newest that is finished.
`;
