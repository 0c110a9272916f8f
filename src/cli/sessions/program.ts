// The commands for the sessions of hosts on this machine, their flags and their help.
import type { Command } from "commander";
import { addCommand, addCommands, type Commands, type FlagsOf } from "../command.ts";
import { ARCHIVE, DEFAULT_DATABASE, oneOf, wholeNumber } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

const COMMAND = "agent-compact session";
const HOSTS = ["claude-code", "codex", "gemini-cli", "opencode", "pi"];
const SESSION = ["<session>", "its id, or its file"] as const;

export function addSessionCommands(program: Command, terminal: Terminal): void {
  const session = addCommand(program, terminal, "session", {
    about: "look at the sessions of Claude Code, Codex and others here, and go on with a smaller one",
    examples: [`${COMMAND} list`, `${COMMAND} compact --last`],
  });
  addCommands(session, terminal, COMMANDS);
  addCommand(program, terminal, "remember", {
    about: "put what a session taught into the memory store: a row a request, with what came of it",
    args: [["[session]", "its id, or its file"]],
    flags: REMEMBER,
    examples: ["agent-compact remember --last --dry-run", "agent-compact remember 1f2e3d4c"],
    run: async () => (await import("./remember.ts")).remember,
  });
}

const LIST = [["--limit <n>", "most sessions to show (20)"]] as const;
export type ListFlags = FlagsOf<typeof LIST>;

const COMPACT = [
  ...ARCHIVE,
  ["--last", "the newest session"],
  ["--host <name>", `only of this host: ${HOSTS.join(", ")}`, oneOf(HOSTS)],
  ["--target-tokens <n>", "tokens to come down to (a goal)"],
  ["--keep-recent-turns <n>", "turns to keep at most (6)", wholeNumber(0)],
  ["--strip-only", "every word stays, only what tools gave back becomes shorter"],
  ["--in-place", "replace the session; its old bytes are kept, see undo"],
  ["--dry-run", "show what would leave, write nothing"],
  ["--out <file>", "write there, not into the host's folder"],
] as const;
export type SessionCompactFlags = FlagsOf<typeof COMPACT>;

const UNDO = [["--force", "also where a host went on with it"]] as const;
export type UndoFlags = FlagsOf<typeof UNDO>;

const SHOW = [["--html <file>", "as one page that opens without a network"]] as const;
export type ShowFlags = FlagsOf<typeof SHOW>;

const REMEMBER = [
  ["--last", "the newest session"],
  ["--dry-run", "show the rows, write nothing"],
  ["--undo", "take them out again"],
  ["--db <file>", `the memory database (${DEFAULT_DATABASE})`],
  ["--project <name>", "of the rows (the folder that the session worked in)"],
  ["--scope <scope>", "project or personal rows", oneOf(["project", "personal"])],
  ["--namespace <name>", "of the rows"],
] as const;
export type RememberFlags = FlagsOf<typeof REMEMBER>;

const COMMANDS: Commands = {
  list: {
    about: "the sessions on this machine, newest first, and what each would give",
    args: [["[host]", HOSTS.join(", "), oneOf(HOSTS)]],
    flags: LIST,
    examples: [`${COMMAND} list claude-code`],
    run: async () => (await import("./list.ts")).listSessions,
  },
  compact: {
    about: "write a smaller session that the same host goes on from; the old one stays as it is",
    args: [["[session]", "its id, or its file"]],
    flags: COMPACT,
    examples: [`${COMMAND} compact --last`, `${COMMAND} compact 1f2e3d4c --target-tokens 40000`],
    run: async () => (await import("./compact.ts")).compactSession,
  },
  undo: {
    about: "take a session back that compact wrote",
    args: [SESSION],
    flags: UNDO,
    examples: [`${COMMAND} undo 1f2e3d4c`],
    run: async () => (await import("./records.ts")).undoSession,
  },
  show: {
    about: "a session as people read it",
    args: [SESSION],
    flags: SHOW,
    examples: [`${COMMAND} show 1f2e3d4c --html session.html`],
    run: async () => (await import("./show.ts")).showSession,
  },
  diff: {
    about: "what became of each message between two sessions",
    args: [
      ["<before>", "id or file"],
      ["<after>", "id or file"],
    ],
    examples: [`${COMMAND} diff 1f2e3d4c 9a8b7c6d`],
    run: async () => (await import("./show.ts")).diffSessions,
  },
};
