// `agent-compact facts FILE`: the ledger of a conversation, as a compaction of all of it would carry it. Writes nothing.
import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { createRedactor, type RedactorOptions } from "../../redaction/redactor.ts";
import { wholeLedger } from "../analysis/whole-ledger.ts";
import type { CommonFlags } from "../flags.ts";
import { readConversationSource } from "../input/conversation-source.ts";
import { createProgress } from "../progress.ts";
import { renderFacts } from "../render/facts.ts";
import { colorsOf, type Terminal } from "../terminal.ts";

export interface FactsFlags extends CommonFlags {
  readonly format: string;
}

export async function showFacts(file: string, flags: FactsFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  progress.step(`Reading ${file === "-" ? "stdin" : file}`);
  const source = await readConversationSource(file, flags.format, terminal);
  const { redaction } = await loadConfig({
    env: terminal.env,
    ...(flags.config === undefined ? {} : { file: resolve(terminal.cwd, flags.config) }),
  });
  const ledger = wholeLedger(source, createRedactor(redaction as RedactorOptions | undefined));
  for (const { message } of source.notes) progress.warn(`Reading the session: ${message}.`);
  const { stdout } = terminal;
  if (flags.json === true) stdout.write(`${JSON.stringify(ledger)}\n`);
  else stdout.write(renderFacts(ledger, source, colorsOf(stdout, terminal)));
}
