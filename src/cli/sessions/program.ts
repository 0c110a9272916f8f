// The commands for the sessions of hosts on this machine, their flags and their help.
import type { Command } from "commander";
import { DEFAULT_DATABASE, example, filledText, oneOf, wholeNumber, withArchive } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import type { SessionCompactFlags } from "./compact.ts";
import type { ListFlags } from "./list.ts";
import type { UndoFlags } from "./records.ts";
import type { RememberFlags } from "./remember.ts";
import type { ShowFlags } from "./show.ts";

const COMMAND = "agent-compact session";
const HOSTS = ["claude-code", "codex", "gemini-cli", "opencode", "pi"];

export function addSessionCommands(program: Command, terminal: Terminal): void {
  const session = program
    .command("session")
    .description("look at the sessions of Claude Code, Codex and others here, and go on with a smaller one")
    .addHelpText("after", example(`${COMMAND} list`, `${COMMAND} compact --last`));
  session
    .command("list")
    .description("the sessions on this machine, newest first, and what each would give")
    .argument("[host]", HOSTS.join(", "), oneOf("HOST", HOSTS))
    .option("--limit <n>", "most sessions to show (20)", wholeNumber("--limit", 1))
    .addHelpText("after", example(`${COMMAND} list claude-code`))
    .action(async (host: string | undefined, _flags: unknown, self: Command) => {
      const { listSessions } = await import("./list.ts");
      await listSessions(host, self.optsWithGlobals<ListFlags>(), terminal);
    });
  withArchive(
    session
      .command("compact")
      .description("write a smaller session that the same host goes on from; the old one stays as it is")
      .argument("[session]", "its id, or its file"),
  )
    .option("--last", "the newest session")
    .option("--host <name>", `only of this host: ${HOSTS.join(", ")}`, oneOf("--host", HOSTS))
    .option("--target-tokens <n>", "tokens to come down to (a goal)", wholeNumber("--target-tokens", 1))
    .option("--keep-recent-turns <n>", "turns to keep at most (6)", wholeNumber("--keep-recent-turns", 0))
    .option("--strip-only", "every word stays, only what tools gave back becomes shorter")
    .option("--in-place", "replace the session; its old bytes are kept, see undo")
    .option("--dry-run", "show what would leave, write nothing")
    .option("--out <file>", "write there, not into the host's folder", filledText("--out"))
    .addHelpText("after", example(`${COMMAND} compact --last`, `${COMMAND} compact 1f2e3d4c --target-tokens 40000`))
    .action(async (name: string | undefined, _flags: unknown, self: Command) => {
      const { compactSession } = await import("./compact.ts");
      await compactSession(name, self.optsWithGlobals<SessionCompactFlags>(), terminal);
    });
  session
    .command("undo")
    .description("take a session back that compact wrote")
    .argument("<session>", "its id, or its file")
    .option("--force", "also where a host went on with it")
    .addHelpText("after", example(`${COMMAND} undo 1f2e3d4c`))
    .action(async (name: string, _flags: unknown, self: Command) => {
      const { undoSession } = await import("./records.ts");
      await undoSession(name, self.optsWithGlobals<UndoFlags>(), terminal);
    });
  session
    .command("show")
    .description("a session as people read it")
    .argument("<session>", "its id, or its file")
    .option("--html <file>", "as one page that opens without a network", filledText("--html"))
    .addHelpText("after", example(`${COMMAND} show 1f2e3d4c --html session.html`))
    .action(async (name: string, _flags: unknown, self: Command) => {
      const { showSession } = await import("./show.ts");
      await showSession(name, self.optsWithGlobals<ShowFlags>(), terminal);
    });
  session
    .command("diff")
    .description("what became of each message between two sessions")
    .argument("<before>", "id or file")
    .argument("<after>", "id or file")
    .addHelpText("after", example(`${COMMAND} diff 1f2e3d4c 9a8b7c6d`))
    .action(async (before: string, after: string, _flags: unknown, self: Command) => {
      const { diffSessions } = await import("./show.ts");
      await diffSessions(before, after, self.optsWithGlobals<ListFlags>(), terminal);
    });
  addRemember(program, terminal);
}

function addRemember(program: Command, terminal: Terminal): void {
  program
    .command("remember")
    .description("put what a session taught into the memory store: a row a request, with what came of it")
    .argument("[session]", "its id, or its file")
    .option("--last", "the newest session")
    .option("--dry-run", "show the rows, write nothing")
    .option("--undo", "take them out again")
    .option("--db <file>", `the memory database (${DEFAULT_DATABASE})`, filledText("--db"))
    .option("--project <name>", "of the rows (the folder that the session worked in)", filledText("--project"))
    .option("--scope <scope>", "project or personal rows", oneOf("--scope", ["project", "personal"]))
    .option("--namespace <name>", "of the rows", filledText("--namespace"))
    .addHelpText("after", example("agent-compact remember --last --dry-run", "agent-compact remember 1f2e3d4c"))
    .action(async (name: string | undefined, _flags: unknown, self: Command) => {
      const { remember } = await import("./remember.ts");
      await remember(name, self.optsWithGlobals<RememberFlags>(), terminal);
    });
}
