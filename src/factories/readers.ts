// Every reader of session files, in the order in which they are asked. Apart from the formats, because only the
// command line reads files of hosts.
import { aiderReader } from "../session-files/aider.ts";
import { claudeCodeReader } from "../session-files/claude-code.ts";
import { clineReader } from "../session-files/cline.ts";
import { codexReader } from "../session-files/codex.ts";
import { geminiCliReader } from "../session-files/gemini-cli.ts";
import { opencodeReader } from "../session-files/opencode.ts";
import { piReader } from "../session-files/pi.ts";
import type { SessionReader } from "../session-files/session-reader.ts";
import type { SessionWriter } from "../session-files/session-writer.ts";
import { sweAgentReader } from "../session-files/swe-agent.ts";
import { tauBenchReader } from "../session-files/tau-bench.ts";
import { uiMessagesReader } from "../session-files/ui-messages.ts";
import { claudeCodeWriter } from "../session-files/write-claude-code.ts";
import { codexWriter } from "../session-files/write-codex.ts";
import { geminiCliWriter } from "../session-files/write-gemini-cli.ts";
import { opencodeWriter } from "../session-files/write-opencode.ts";
import { piWriter } from "../session-files/write-pi.ts";

/** Every kind of session file this package reads; each gives messages of one of the formats. */
export const READERS: readonly SessionReader[] = [
  claudeCodeReader,
  piReader,
  codexReader,
  geminiCliReader,
  opencodeReader,
  clineReader,
  sweAgentReader,
  tauBenchReader,
  uiMessagesReader,
  aiderReader,
];

/** By the names of their readers: the hosts that go on from a file that we wrote. */
export const WRITERS: ReadonlyMap<string, SessionWriter> = new Map([
  [claudeCodeReader.name, claudeCodeWriter],
  [codexReader.name, codexWriter],
  [geminiCliReader.name, geminiCliWriter],
  [opencodeReader.name, opencodeWriter],
  [piReader.name, piWriter],
]);
