// The archive's commands, their flags and their help.
import type { Command } from "commander";
import { addCommand, addCommands, type Commands, type FlagsOf } from "../command.ts";
import { ARCHIVE, ARCHIVE_DIR, byteCount, days } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

const COMMAND = "agent-compact archive";

export function addArchiveCommands(program: Command, terminal: Terminal): void {
  const about = "look into what compactions left behind, and get it back";
  addCommands(addCommand(program, terminal, "archive", { about, examples: [`${COMMAND} list`] }), terminal, COMMANDS);
}

const SEARCH = [...ARCHIVE, ["--limit <n>", "most places to show (20)"]] as const;
export type SearchFlags = FlagsOf<typeof SEARCH>;

const SHOW = [...ARCHIVE, ["--html <file>", "its whole history as one page that opens without a network"]] as const;
export type ShowFlags = FlagsOf<typeof SHOW>;

const RESTORE = [...ARCHIVE, ["--out <file>", "where to write; - for stdout"]] as const;
export type RestoreFlags = FlagsOf<typeof RESTORE>;

const COLLECT = [
  ["--max-age-days <n>", "steps that are older leave", days],
  ["--max-bytes <n>", "the oldest steps leave while the archive is larger; 500MB, 2GB", byteCount],
  ["--apply", "remove them for good"],
  ARCHIVE_DIR,
] as const;
export type CollectFlags = FlagsOf<typeof COLLECT>;

const ERASE = [
  ["--apply", "erase it for good, with a line in erased.jsonl"],
  ["--dry-run", "only show, as without --apply"],
  ARCHIVE_DIR,
] as const;
export type EraseFlags = FlagsOf<typeof ERASE>;

const COMMANDS: Commands = {
  list: {
    about: "the sessions in the archive",
    flags: ARCHIVE,
    examples: [`${COMMAND} list`],
    run: async () => (await import("./archive.ts")).listArchive,
  },
  show: {
    about: "the steps of one session",
    args: [["[session]", "may be left out when there is only one"]],
    flags: SHOW,
    examples: [`${COMMAND} show talk-1f2e3d4c`],
    run: async () => (await import("./archive.ts")).showSession,
  },
  verify: {
    about: "check that everything in the archive can be read and is as it was written",
    flags: ARCHIVE,
    examples: [`${COMMAND} verify`],
    run: async () => (await import("./archive.ts")).verifySessions,
  },
  search: {
    about: "find messages by their words",
    args: [["<words...>", 'all must occur; "a phrase" as a whole']],
    flags: SEARCH,
    examples: [`${COMMAND} search "rate limit"`],
    run: async () => (await import("./archive.ts")).searchSessions,
  },
  expand: {
    about: "show messages as they were",
    args: [["<ref>", "1.12 for message 12 of step 1, 1.12-20, or 1"]],
    flags: ARCHIVE,
    examples: [`${COMMAND} expand 1.12 --session-id talk-1f2e3d4c`],
    run: async () => (await import("./archive.ts")).expandMessages,
  },
  restore: {
    about: "write the original conversation",
    args: [["[step]", "that step's transcript; without it the whole history"]],
    flags: RESTORE,
    examples: [`${COMMAND} restore --session-id talk-1f2e3d4c --out talk.json`],
    run: async () => (await import("./archive.ts")).restoreSession,
  },
  gc: {
    about: "show what a limit would remove from the archive; remove it with --apply",
    flags: COLLECT,
    note: `
Without a flag the limits are those of the configuration (storage.retention). The newest step of a session never leaves,
nor does the newest that is finished.
`,
    examples: [`${COMMAND} gc --max-age-days 90`, `${COMMAND} gc --max-bytes 2GB --apply`],
    run: async () => (await import("./gc.ts")).collectSteps,
  },
  erase: {
    about: "show what the archive holds of a session; erase all of it with --apply",
    args: [["<session>", "its id"]],
    flags: ERASE,
    examples: [`${COMMAND} erase talk-1f2e3d4c`, `${COMMAND} erase talk-1f2e3d4c --apply`],
    run: async () => (await import("./upkeep.ts")).eraseSession,
  },
  repair: {
    about: "make states that are damaged anew from the archived steps",
    flags: ARCHIVE,
    examples: [`${COMMAND} repair`],
    run: async () => (await import("./upkeep.ts")).repairSessions,
  },
  repack: {
    about: "store once what earlier versions stored with every step",
    flags: ARCHIVE,
    examples: [`${COMMAND} repack --session-id talk-1f2e3d4c`],
    run: async () => (await import("./upkeep.ts")).repackSessions,
  },
};
