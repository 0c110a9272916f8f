// `agent-compact session show`: a session as people read it, in the terminal or as one page that asks nothing of any
// network. Secrets are left out of both.
import { SUMMARY_PREFIX } from "../../conversation/summary-frame.ts";
import { CompactError } from "../../errors.ts";
import type { MessagePart, MessageView } from "../../providers/format.ts";
import { createRedactor, type Redactor, type RedactorOptions } from "../../redaction/redactor.ts";
import { figure, plural } from "../../text/figures.ts";
import { compareSources } from "../conversation/diff.ts";
import type { ConversationSource } from "../files/conversation-source.ts";
import { checkOutput, chooseOutput, writeOutput } from "../files/output.ts";
import type { CommonFlags } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import { oneLine } from "../render.ts";
import { colorsOf, type Terminal } from "../terminal.ts";
import { createMeasure, turnStarts } from "./measure.ts";
import { locateSession, readSession } from "./places.ts";

export interface ShowFlags extends CommonFlags {
  readonly html?: string;
}

/** One thing that was said or done. */
interface Entry {
  readonly kind: "user" | "assistant" | "host" | "tool" | "summary";
  /** For a tool: its name and what it was called with, on one line. */
  readonly title: string;
  readonly text: string;
  readonly isError?: boolean;
}

type Result = MessagePart & { readonly kind: "result" };

interface Turn {
  /** Counts from 1; 0 before the first prompt. */
  readonly number: number;
  readonly tokens: number;
  readonly entries: readonly Entry[];
}

export async function showSession(session: string, flags: ShowFlags, terminal: Terminal): Promise<void> {
  const found = await locateSession({ session }, terminal);
  const source = await readSession(found, terminal);
  const { config } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction as RedactorOptions | undefined);
  const turns = turnsOf(source, redactor);
  const { stdout } = terminal;
  if (flags.html !== undefined) {
    const place = chooseOutput({ cwd: terminal.cwd, out: flags.html, input: found.path, extension: ".json" });
    await checkOutput(place, { kept: found.path, flag: "--html" });
    const { renderPage } = await import("./page.ts");
    await writeOutput(place, renderPage({ title: `${source.readAs} session ${source.name}`, turns }), terminal, 0o600);
    if (place.kind === "file" && flags.quiet !== true) stdout.write(`${place.shown}\n`);
    return;
  }
  if (flags.json === true)
    return void stdout.write(`${JSON.stringify({ host: source.readAs, path: found.path, turns })}\n`);
  const colors = colorsOf(stdout, terminal);
  for (const { number, tokens, entries } of turns) {
    stdout.write(`${colors.bold(`Turn ${number}`)} ${colors.dim(`${figure(tokens)} tokens`)}\n`);
    for (const { kind, title, text, isError } of entries) {
      if (kind === "tool") {
        const failed = isError === true ? " (failed)" : "";
        stdout.write(`${colors.dim(`  ${title}${failed}: ${figure(text.length)} characters`)}\n`);
      } else stdout.write(`${colors.bold(kind)}\n${text}\n\n`);
    }
  }
}

/** Throws `NotFound`. */
export async function diffSessions(
  before: string,
  after: string,
  flags: CommonFlags,
  terminal: Terminal,
): Promise<void> {
  const [first, second] = await Promise.all(
    [before, after].map(async (session) => readSession(await locateSession({ session }, terminal), terminal)),
  );
  if (first === undefined || second === undefined) throw new CompactError("InvalidInput", "Two sessions are compared.");
  compareSources(first, second, flags, terminal);
}

function turnsOf(source: ConversationSource, redactor: Redactor): readonly Turn[] {
  const { format, messages } = source;
  const starts = new Set(turnStarts(source));
  const measure = createMeasure(source);
  const views = messages.map((message) => format.view(message));
  const results = new Map(views.flatMap(({ parts }) => parts.filter(isResult).map((part) => [part.callId, part])));
  const turns: { number: number; tokens: number; entries: Entry[] }[] = [];
  for (const [index, view] of views.entries()) {
    const isStart = starts.has(index);
    if (isStart || turns.length === 0)
      turns.push({ number: (turns.at(-1)?.number ?? 0) + Number(isStart), tokens: 0, entries: [] });
    const turn = turns.at(-1) as (typeof turns)[number];
    turn.tokens += measure(messages[index]);
    const speaker = format.summaryText(messages[index])?.startsWith(SUMMARY_PREFIX) ? "summary" : speakerOf(view);
    const entries = view.parts.flatMap((part) => entryOf(part, speaker, results) ?? []);
    turn.entries.push(...entries.map((entry) => redactor.json(entry)));
  }
  return turns;
}

function isResult(part: MessagePart): part is Result {
  return part.kind === "result";
}

function speakerOf({ role, isHostWritten }: MessageView): Entry["kind"] {
  if (role === "assistant") return "assistant";
  return role === "user" && isHostWritten !== true ? "user" : "host";
}

const LONGEST_TITLE = 160;

function entryOf(part: MessagePart, kind: Entry["kind"], results: ReadonlyMap<string, Result>): Entry | undefined {
  switch (part.kind) {
    case "text":
      return { kind, title: "", text: part.text };
    case "call": {
      const result = results.get(part.callId);
      const pictures = result === undefined || result.images === 0 ? "" : `\n[${plural(result.images, "picture")}]`;
      return {
        kind: "tool",
        title: `${part.name} ${oneLine(part.arguments).slice(0, LONGEST_TITLE)}`,
        text: `${part.arguments}\n\n${result?.text ?? "(no result)"}${pictures}`,
        ...(result?.isError === true ? { isError: true } : {}),
      };
    }
    case "image":
      return { kind, title: "", text: "[picture]" };
    case "opaque":
      return part.words === undefined ? undefined : { kind: "host", title: "", text: part.words };
    default:
      return undefined;
  }
}
