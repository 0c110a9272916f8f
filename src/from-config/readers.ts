// Every reader of session files, in the order in which they are asked. Apart from the formats, because only the
// command line reads files of hosts.
import { aiderReader } from "../formats/readers/aider/aider-reader.ts";
import { claudeCodeReader } from "../formats/readers/claude-code-reader.ts";
import { clineReader } from "../formats/readers/cline/cline-reader.ts";
import { codexReader } from "../formats/readers/codex/codex-reader.ts";
import { geminiCliReader } from "../formats/readers/gemini-cli/gemini-cli-reader.ts";
import { opencodeReader } from "../formats/readers/opencode/opencode-reader.ts";
import { piReader } from "../formats/readers/pi-reader.ts";
import type { SessionReader } from "../formats/readers/reader.ts";
import { sweAgentReader } from "../formats/readers/swe-agent/swe-agent-reader.ts";
import { tauBenchReader } from "../formats/readers/tau-bench/tau-bench-reader.ts";
import { uiMessagesReader } from "../formats/readers/ui-messages/ui-messages-reader.ts";

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
