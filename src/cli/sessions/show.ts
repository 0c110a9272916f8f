// `agent-compact session show`: a session as people read it, in the terminal or as one page that asks nothing of any
// network. Secrets are left out of both.

import type { Archive } from "../../archive/archive.ts";
import { readSummaryOrSkip } from "../../archive/read-archive.ts";
import { restoreTranscript } from "../../archive/restore-transcript.ts";
import { SUMMARY_PREFIX } from "../../conversation/summary-frame.ts";
import { CompactError } from "../../errors.ts";
import { FORMATS } from "../../factories/formats.ts";
import { detectInput } from "../../providers/detect-format.ts";
import type { MessagePart, MessageView } from "../../providers/format.ts";
import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { figure, plural } from "../../text/figures.ts";
import { withoutUndefined } from "../../text/json-values.ts";
import { compareSources } from "../conversation/diff.ts";
import type { ConversationSource } from "../files/conversation-source.ts";
import { checkOutput, chooseOutput, writeOutput } from "../files/output.ts";
import type { CommonFlags } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import { oneLine } from "../render.ts";
import { colorsOf, type Terminal } from "../terminal.ts";
import { createMeasure, turnStarts } from "./measure.ts";
import { locateSession, readSession } from "./places.ts";
import type { ShowFlags } from "./program.ts";

/** One thing that was said or done. */
interface Entry {
  readonly kind: "user" | "assistant" | "host" | "tool" | "summary" | "compaction";
  /** On one line: for a tool its name and what it was called with, for a compaction what left. */
  readonly title: string;
  /** Of a compaction: the summary, "" where the host keeps it sealed. */
  readonly text: string;
  readonly isError?: boolean;
  /** Of a compaction: how many messages left. */
  readonly left?: number;
  /** Where they are known. */
  readonly tokens_before?: number;
  readonly tokens_after?: number;
}

/** By the index of the message before which it stands. */
type Marks = ReadonlyMap<number, readonly Entry[]>;

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
  const turns = turnsOf(source, await redactorOf(flags, terminal), marksOf(source));
  const { stdout } = terminal;
  if (flags.html !== undefined) {
    const title = `${source.readAs} session ${source.name}`;
    return writePage({ html: flags.html, title, kept: found.path, turns }, flags, terminal);
  }
  if (flags.json === true)
    return void stdout.write(`${JSON.stringify({ host: source.readAs, path: found.path, turns })}\n`);
  const colors = colorsOf(stdout, terminal);
  for (const { number, tokens, entries } of turns) {
    stdout.write(`${colors.bold(`Turn ${number}`)} ${colors.dim(`${figure(tokens)} tokens`)}\n`);
    for (const { kind, title, text, isError } of entries) {
      if (kind === "tool" || kind === "compaction") {
        const failed = isError === true ? " (failed)" : "";
        stdout.write(`${colors.dim(`  ${title}${failed}: ${figure(text.length)} characters`)}\n`);
      } else stdout.write(`${colors.bold(kind)}\n${text}\n\n`);
    }
  }
}

/** The whole history of an archived session as one page, with a mark where each step compacted. Throws `NotFound`. */
export async function showArchived(
  { archive, sessionId, kept }: { readonly archive: Archive; readonly sessionId: string; readonly kept: string },
  flags: CommonFlags & { readonly html: string },
  terminal: Terminal,
): Promise<void> {
  const { messages, steps } = await restoreTranscript(archive, sessionId);
  const format = detectInput(messages, FORMATS)?.format;
  if (format === undefined)
    throw new CompactError("InvalidInput", `The messages of ${sessionId} are of no known format.`, {
      hint: "`agent-compact archive restore` writes them as they are.",
    });
  const marks = new Map<number, readonly Entry[]>();
  for (const { step, messages: count } of steps) {
    const record = await readSummaryOrSkip(archive, sessionId, step);
    if (record === undefined) continue;
    const { pruned, tokens_before, tokens_after, text } = record;
    marks.set(count, [markOf(`Compaction ${step}`, { left: pruned.length, tokens_before, tokens_after, text })]);
  }
  const turns = turnsOf({ format, messages }, await redactorOf(flags, terminal), marks);
  await writePage({ html: flags.html, title: `Session ${sessionId}`, kept, turns }, flags, terminal);
}

async function redactorOf(flags: CommonFlags, terminal: Terminal): Promise<Redactor> {
  const { config } = await readConfig(flags, terminal);
  return createRedactor(config.redaction);
}

interface Page {
  readonly html: string;
  readonly title: string;
  /** Never written over. */
  readonly kept: string;
  readonly turns: readonly Turn[];
}

async function writePage(
  { html, title, kept, turns }: Page,
  { quiet }: CommonFlags,
  terminal: Terminal,
): Promise<void> {
  const place = chooseOutput({ cwd: terminal.cwd, out: html, input: kept, extension: ".json" });
  await checkOutput(place, { kept, flag: "--html" });
  const { renderPage } = await import("./page.ts");
  await writeOutput(place, renderPage({ title, turns }), terminal, 0o600);
  if (place.kind === "file" && quiet !== true) terminal.stdout.write(`${place.shown}\n`);
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

/** The host's own compactions. */
function marksOf({ compactions = [] }: ConversationSource): Marks {
  const marks = new Map<number, Entry[]>();
  for (const [index, { at, summary, left, tokensBefore, tokensAfter }] of compactions.entries()) {
    const sizes = withoutUndefined({ tokens_before: tokensBefore, tokens_after: tokensAfter });
    const mark = markOf(`Compaction ${index + 1} by the host`, { left, text: summary, ...sizes });
    marks.set(at, [...(marks.get(at) ?? []), mark]);
  }
  return marks;
}

type Compacted = Pick<Entry, "text" | "tokens_before" | "tokens_after"> & { readonly left: number };

function markOf(name: string, compacted: Compacted): Entry {
  const { left, tokens_before: before, tokens_after: after } = compacted;
  const end = after === undefined ? "tokens before" : `-> ${figure(after)} tokens`;
  const sizes = before === undefined ? "" : `, ${figure(before)} ${end}`;
  return { kind: "compaction", title: `${name}: ${plural(left, "message")} left${sizes}`, ...compacted };
}

function turnsOf(
  source: Pick<ConversationSource, "format" | "messages" | "model">,
  redactor: Redactor,
  marks: Marks,
): readonly Turn[] {
  const { format, messages } = source;
  const starts = new Set(turnStarts(source));
  const measure = createMeasure(source);
  const views = messages.map((message) => format.view(message));
  const results = new Map(views.flatMap(({ parts }) => parts.filter(isResult).map((part) => [part.callId, part])));
  const turns: { number: number; tokens: number; entries: Entry[] }[] = [];
  for (const [index, view] of views.entries()) {
    const speaker = format.summaryText(messages[index])?.startsWith(SUMMARY_PREFIX) ? "summary" : speakerOf(view);
    const entries = view.parts.flatMap((part) => entryOf(part, speaker, results) ?? []);
    const before = (marks.get(index) ?? []).filter((mark) => !takePlaceOf(mark, entries));
    const last = turns.at(-1);
    last?.entries.push(...before);
    if (last === undefined) turns.push({ number: Number(starts.has(0)), tokens: 0, entries: before });
    else if (starts.has(index)) turns.push({ number: last.number + 1, tokens: 0, entries: [] });
    const turn = turns.at(-1) as (typeof turns)[number];
    turn.tokens += measure(messages[index]);
    turn.entries.push(...entries);
  }
  turns.at(-1)?.entries.push(...(marks.get(messages.length) ?? []));
  return turns.map((turn) => ({ ...turn, entries: turn.entries.map((entry) => redactor.json(entry)) }));
}

/** Of the summary's, where it is among the entries. */
function takePlaceOf(mark: Entry, entries: Entry[]): boolean {
  const at = mark.text === "" ? -1 : entries.findIndex(({ kind, text }) => kind !== "tool" && text === mark.text);
  if (at >= 0) entries[at] = mark;
  return at >= 0;
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
      return { kind: kind === "user" && part.isHostWritten === true ? "host" : kind, title: "", text: part.text };
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
