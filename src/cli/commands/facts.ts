// `agent-compact facts FILE`: the ledger of a conversation, as a compaction of all of it would carry it. Writes nothing.
import { createRedactor, type RedactorOptions } from "../../redaction/redactor.ts";
import { wholeLedger } from "../analysis/whole-ledger.ts";
import type { CommonFlags } from "../flags.ts";
import { readConversationSource } from "../input/conversation-source.ts";
import { readConfig } from "../open-compactor.ts";
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
  const { config, warnings } = await readConfig(flags, terminal);
  const ledger = wholeLedger(source, createRedactor(config.redaction as RedactorOptions | undefined));
  for (const warning of warnings) progress.warn(warning);
  for (const { message } of source.notes) progress.warn(`Reading the session: ${message}.`);
  const { stdout } = terminal;
  if (flags.json === true) stdout.write(`${JSON.stringify(ledger)}\n`);
  else stdout.write(renderFacts(ledger, source, colorsOf(stdout, terminal)));
}
