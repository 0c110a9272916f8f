// `agent-compact convert FILE --to FORMAT`: the same conversation in another provider's messages, repaired where its
// provider would refuse it, with a list of what was left out.
import type { Repair } from "../../providers/format.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import type { ReadNote } from "../../session-files/session-reader.ts";
import { figure } from "../../text/figures.ts";
import { convertSource, readConversationSource } from "../files/conversation-source.ts";
import { checkOutput, chooseOutput, isThere, reportWritten, writeOutput } from "../files/output.ts";
import { writeConversation } from "../files/write-conversation.ts";
import { badInput, refuseTwoOutputs } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import type { ConvertFlags } from "../program.ts";
import { oneLine } from "../render.ts";
import { createProgress } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { repairsText } from "./compact-view.ts";

export async function convertFile(file: string, flags: ConvertFlags, terminal: Terminal): Promise<void> {
  refuseTwoOutputs(flags);
  const progress = createProgress(terminal, flags);
  const source = await readConversationSource(file, flags.format, terminal, progress);
  const { config, warnings } = await readConfig(flags, terminal);
  const place = chooseOutput({
    cwd: terminal.cwd,
    out: flags.out,
    input: source.path,
    extension: ".json",
    ending: flags.to,
  });
  await checkOutput(place, { kept: source.path });
  progress.step(`Converting ${figure(source.messages.length)} messages of ${source.readAs}`);
  const converted = convertSource(source, flags.to);
  const { messages, repairs } = converted.format.heal(converted.messages);
  if (messages.length === 0) throw nothingLeft(source.label);
  const isReplaced = await isThere(place);
  await writeOutput(place, writeConversation({ ...converted, messages }), terminal, source.mode);
  for (const warning of warnings) progress.warn(warning);
  // A tool's name is whatever the transcript says it is.
  const conversion: Conversion = createRedactor(config.redaction).json({
    from: source.readAs,
    to: flags.to,
    messages: messages.length,
    messages_before: source.messages.length,
    out: place.kind === "file" ? place.shown : null,
    notes: [...source.notes, ...converted.losses].map(({ code, message }: ReadNote) => ({ code, message })),
    repairs: repairs.map(({ index, kind, action }) => ({ message: index + 1, kind, action })),
  });
  const render = (colors: Colors) => renderConversion(conversion, source.label, isReplaced, colors);
  reportWritten(place, conversion, render, flags, terminal);
}

function nothingLeft(label: string) {
  return badInput(
    "NO_MESSAGES",
    `No message of ${label} says anything that another provider takes.`,
    "Give a conversation in which something was said.",
  );
}

/** What `--json` prints. */
interface Conversion {
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  readonly messages_before: number;
  /** Null when the result went to stdout. */
  readonly out: string | null;
  readonly notes: readonly ReadNote[];
  /** `message` counts the converted messages from 1, before anything was put right. */
  readonly repairs: readonly (Pick<Repair, "kind" | "action"> & { readonly message: number })[];
}

function renderConversion(conversion: Conversion, label: string, isReplaced: boolean, colors: Colors): string {
  const { from, to, messages, messages_before: before, out, notes, repairs } = conversion;
  const rows: (readonly [string, string])[] = [
    ["messages", `${figure(before)} -> ${figure(messages)}`],
    ...(repairs.length === 0 ? [] : [["repaired", repairsText(repairs)] as const]),
    ["written to", out === null ? "stdout" : `${out}${isReplaced ? " (replaced)" : ""}`],
  ];
  const lines = [
    `${colors.bold("Converted")}: ${label} (${from}) to ${to}`,
    "",
    ...rows.map(([name, value]) => `  ${colors.dim(name.padEnd(10))}  ${value}`),
    ...(notes.length === 0 ? [] : [""]),
    ...notes.map(({ message }) => `${colors.yellow("note")}  ${oneLine(message)}`),
  ];
  return `${lines.join("\n")}\n`;
}
