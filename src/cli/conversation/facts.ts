// `agent-compact facts FILE`: the ledger of a conversation, as a compaction of all of it would carry it. Writes nothing.
import { cite, type Ledger, type Source } from "../../facts/ledger.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import { figure, plural } from "../../text/figures.ts";
import { readConversationSource } from "../files/conversation-source.ts";
import { readConfig } from "../open-compactor.ts";
import type { FactsFlags } from "../program.ts";
import { atMost, renderTable, right } from "../render.ts";
import { createProgress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { wholeLedger } from "./whole-ledger.ts";

export async function showFacts(file: string, flags: FactsFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  const source = await readConversationSource(file, flags.format, terminal, progress);
  const { config, warnings } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction);
  const ledger = wholeLedger(source, (text) => redactor.text(text));
  for (const warning of warnings) progress.warn(warning);
  for (const { message } of source.notes) progress.warn(`Reading the session: ${message}.`);
  printResult(ledger, (colors) => renderFacts(ledger, source, colors), flags, terminal);
}

/** Of each kind, so many rows; the rest is in --json. */
const MOST_ROWS = 25;

interface FactRow {
  readonly message: string;
  readonly what: string;
  readonly text: string;
}

function renderFacts(ledger: Ledger, { label }: { readonly label: string }, colors: Colors): string {
  const kinds = listKinds(ledger).filter(({ rows }) => rows.length > 0);
  const total = kinds.reduce((sum, { rows }) => sum + rows.length, 0);
  const head = `${colors.bold(label)}: ${plural(total, "fact")}`;
  const sections = kinds.map(({ title, rows }) => renderKind(title, rows, colors));
  return `${[head, ...sections].join("\n\n")}\n`;
}

function renderKind(title: string, rows: readonly FactRow[], colors: Colors): string {
  const shown = rows.slice(-MOST_ROWS);
  const table = renderTable(
    [right("#"), atMost("", 16), atMost("", 110)],
    shown.map(({ message, what, text }) => [message, what, text]),
    colors,
  );
  const rest = rows.length - shown.length;
  const more = rest > 0 ? `\n  and ${plural(rest, "earlier one")}: see --json` : "";
  return `${colors.bold(`${title} (${figure(rows.length)})`)}\n${table}${more}`;
}

function listKinds(ledger: Ledger): readonly { readonly title: string; readonly rows: readonly FactRow[] }[] {
  return [
    {
      title: "User messages",
      rows: ledger.userMessages.map((fact) => row(fact, fact.author === "host" ? "host" : "", fact.blocks.join(" "))),
    },
    { title: "Rules", rows: ledger.rules.map((fact) => row(fact, fact.polarity.replace("_", " "), fact.text)) },
    {
      title: "Decisions",
      rows: ledger.decisions.map((fact) =>
        row(
          fact,
          "answered",
          `${fact.text}${fact.chosen === undefined ? "" : ` (${fact.chosen})`} (asked: ${fact.question})`,
        ),
      ),
    },
    {
      title: "Plan",
      rows: ledger.plans.flatMap((fact) =>
        fact.items.map((item) => row(fact, item.state ?? item.status.replace("_", " "), item.text)),
      ),
    },
    {
      title: "Files",
      rows: ledger.files.map((fact) =>
        row(fact, fact.operation, `${fact.path}${fact.symbols.length === 0 ? "" : `: ${fact.symbols.join(", ")}`}`),
      ),
    },
    {
      title: "Commands",
      rows: ledger.commands.map((fact) =>
        row(fact, fact.outcome, `${fact.command}${fact.detail === undefined ? "" : `: ${fact.detail}`}`),
      ),
    },
    { title: "Errors", rows: ledger.errors.map((fact) => row(fact, fact.status, fact.text)) },
    {
      title: "Calls of tools",
      rows: ledger.calls.map((fact) => row(fact, fact.isError ? "failed" : "", `${fact.text}: ${fact.answer}`)),
    },
    {
      title: "Attachments",
      rows: ledger.attachments.map((fact) => row(fact, fact.times > 1 ? `${fact.times} times` : "", fact.text)),
    },
    {
      title: "Identifiers",
      rows: ledger.identifiers.map((fact) =>
        row(fact, "", `${fact.value}${fact.mentions > 1 ? ` (${fact.mentions} messages)` : ""}`),
      ),
    },
    {
      title: "Words of the assistant",
      rows: ledger.statements.map((fact) => row(fact, fact.isThought === true ? "thought" : "", fact.text)),
    },
  ];
}

function row(fact: { readonly source: Source }, what: string, text: string): FactRow {
  return { message: cite(fact.source).replace(/^1\./, ""), what, text };
}
