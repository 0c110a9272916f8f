// `agent-compact convert FILE --to FORMAT`: the same conversation in another provider's messages, mended where its
// provider would refuse it, with all that was left out told.
import type { ReadNote } from "../../formats/readers/reader.ts";
import { createRedactor, type RedactorOptions } from "../../redaction/redactor.ts";
import { type CommonFlags, refuseTwoOutputs } from "../flags.ts";
import { badInput } from "../input/bad-input.ts";
import { readConversationSource } from "../input/conversation-source.ts";
import { convertSource } from "../input/convert-source.ts";
import { readConfig } from "../open-compactor.ts";
import { checkOutput, chooseOutput, isThere, type OutputPlace } from "../output/output-place.ts";
import { writeConversation } from "../output/write-conversation.ts";
import { writeOutput } from "../output/write-output.ts";
import { createProgress } from "../progress.ts";
import { type Conversion, renderConversion } from "../render/conversion.ts";
import { figure } from "../render/table.ts";
import { colorsOf, type Terminal } from "../terminal.ts";

export interface ConvertFlags extends CommonFlags {
  readonly format: string;
  readonly to: string;
  readonly out?: string;
}

export async function convertFile(file: string, flags: ConvertFlags, terminal: Terminal): Promise<void> {
  refuseTwoOutputs(flags);
  const progress = createProgress(terminal, flags);
  progress.step(`Reading ${file === "-" ? "stdin" : file}`);
  const source = await readConversationSource(file, flags.format, terminal);
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
  const conversion: Conversion = createRedactor(config.redaction as RedactorOptions | undefined).json({
    from: source.readAs,
    to: flags.to,
    messages: messages.length,
    messages_before: source.messages.length,
    out: place.kind === "file" ? place.shown : null,
    notes: [...source.notes, ...converted.losses].map(({ code, message }: ReadNote) => ({ code, message })),
    repairs: repairs.map(({ index, kind, action }) => ({ message: index + 1, kind, action })),
  });
  report(conversion, { label: source.label, place, isReplaced }, flags, terminal);
}

interface Written {
  readonly label: string;
  readonly place: OutputPlace;
  readonly isReplaced: boolean;
}

/** On stdout, or on stderr when stdout carries the result. */
function report(
  conversion: Conversion,
  { label, place, isReplaced }: Written,
  flags: ConvertFlags,
  terminal: Terminal,
) {
  if (flags.json === true) {
    terminal.stdout.write(`${JSON.stringify(conversion)}\n`);
  } else if (flags.quiet === true) {
    if (place.kind === "file") terminal.stdout.write(`${place.shown}\n`);
  } else {
    const stream = place.kind === "stdout" ? terminal.stderr : terminal.stdout;
    stream.write(renderConversion(conversion, label, isReplaced, colorsOf(stream, terminal)));
  }
}

function nothingLeft(label: string) {
  return badInput(
    "NO_MESSAGES",
    `No message of ${label} says anything that another provider takes.`,
    "Give a conversation in which something was said.",
  );
}
