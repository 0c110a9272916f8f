// What of a ledger could stand in a summary: units of text with a place, an author and a worth. How much of each
// stands there is decided in rank.ts, for all of them together.
import { isProbe } from "../facts/commands.ts";
import { cite, type DecisionFact, type Ledger, type Source } from "../facts/ledger.ts";
import { withoutUndefined } from "../text/json-values.ts";
import { flat } from "../text/quote.ts";
import type { Section } from "./shapes.ts";

export type Author = "user" | "assistant" | "thought" | "host" | "tool";

export interface Unit {
  readonly section: Section;
  readonly author: Author;
  readonly source: Source;
  /** Stands before whatever is kept of the text. */
  readonly lead: string;
  /** What is kept in pieces. */
  readonly text: string;
  /** Of a piece that has no other merit; see `WORTH`. */
  readonly worth: number;
  /** `lead`: at least that stays. Absent: what the room allows. */
  readonly stays?: "lead";
  /** Path of a changed file. */
  readonly path?: string;
  /** Of the assistant: what stands around it. */
  readonly isBeforeCall?: boolean;
  readonly isAfterFailure?: boolean;
  readonly isBeforeChange?: boolean;
  /** Of a talk between equals: no word of it concludes the others, and each speaker has a name. */
  readonly isTalk?: boolean;
  /** The name that stands before the words. */
  readonly speaker?: string;
  /** One piece: half of it says nothing. */
  readonly isWhole?: boolean;
  /** Where a person's own words end: behind them stands what they answer. */
  readonly ownEnd?: number;
  /** From here on the text is detail, worth a part of the rest. */
  readonly detailFrom?: number;
  /** Of the piece that begins there: what it is worth, times the rest, and what it takes besides its words. */
  readonly pieceAt?: (start: number) => { readonly factor: number; readonly tokens: number };
}

/** What a piece is worth by who said it and what it is. What it gives on sessions that the figures were not made on: docs/reference/probes.md. */
const WORTH = {
  user: 3,
  /** What the user came for: all the rest serves it. */
  firstRequest: 6,
  closing: 1.5,
  step: 1,
  thought: 0.2,
  host: 0.8,
  call: 0.6,
  planOpen: 3,
  planDone: 1,
  errorOpen: 2,
  errorFixed: 1.5,
  command: 1,
  probe: 0.2,
  rule: 3,
  file: 2,
} as const;

/** What the assistant says between a failure and what it does next is mostly the cause; before it changes a file, what for. */
const TELLING = 2;

/** Files that nobody keeps. */
export const SCRATCH = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\//u;

/** Everything a ledger holds, in the order in which it came. */
export function unitsOf(ledger: Ledger): readonly Unit[] {
  return [...talkUnits(ledger), ...lineUnits(ledger), ...fileUnits(ledger), ...attachmentUnits(ledger)].sort(inOrder);
}

function inOrder(a: Unit, b: Unit): number {
  return a.source.step - b.source.step || a.source.message - b.source.message;
}

/** What people, the assistant and tools that are the work said. */
function talkUnits({ userMessages, statements, calls, decisions, files, commands }: Ledger): readonly Unit[] {
  const settled = new Map(decisions.map((fact) => [cite(fact.source), fact]));
  const unit = (author: Author, source: Source, text: string, worth: number): Unit => ({
    section: "talk",
    author,
    source,
    lead: "",
    text,
    worth,
  });
  const said = [
    ...userMessages.map(({ author, source, blocks }): Unit => {
      const answer = author === "user" ? settled.get(cite(source)) : undefined;
      const text = blocks.join("\n");
      const words = answer === undefined ? text : `${text}${answeredTo(answer)}`;
      return { ...unit(author, source, words, WORTH[author]), ownEnd: text.length };
    }),
    ...statements.map(({ text, source, isThought, ...marks }) => ({
      ...(isThought ? unit("thought", source, text, WORTH.thought) : unit("assistant", source, text, WORTH.step)),
      ...withoutUndefined(marks),
    })),
    ...calls.map(({ text, answer, source }) =>
      unit("tool", source, answer === "" ? text : `${text}\n${brokenUp(answer)}`, WORTH.call),
    ),
  ].sort(inOrder);
  return weighAssistant(withLabels(said), calls.length + files.length + commands.length > 0);
}

/** What a short answer stands for, and what it answers. */
function answeredTo({ chosen, question }: DecisionFact): string {
  return `${chosen === undefined ? "" : ` (= ${chosen})`} (asked: ${question})`;
}

/** A date or a time in brackets before the words, as many logs have it. It holds until the next one. */
const LABEL = /^(?=.{0,60}(?:\d{4}|\d:\d{2}))(\[[^[\]\n]{4,60}\]|\(\d[^()\n]{3,60}\))\s+(?=\S)/u;

function withLabels(said: readonly Unit[]): readonly Unit[] {
  let lead = "";
  return said.map((unit) => {
    if (unit.author !== "user" && unit.author !== "assistant") return unit;
    const label = LABEL.exec(unit.text)?.[1];
    lead = label ?? lead;
    return { ...unit, lead, text: label === undefined ? unit.text : unit.text.slice(label.length).trimStart() };
  });
}

/** Of what the user says at a time, so much at least the assistant says in a talk between equals; a worker says far more. */
const TALK_RATIO = 0.5;

/** The last words before the user speaks again conclude. In a talk between equals none does, and both are worth as much. */
function weighAssistant(said: readonly Unit[], isWork: boolean): readonly Unit[] {
  const lengthOf = (author: Author) => {
    const own = said.filter((unit) => unit.author === author);
    return own.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, own.length);
  };
  const isTalk = !isWork && lengthOf("user") > lengthOf("assistant") * TALK_RATIO;
  if (isTalk) return withSpeakers(said).map((unit) => ({ ...unit, worth: WORTH.user, isTalk }));
  let closes = true;
  const weighed = [...said].reverse().map((unit): Unit => {
    if (unit.author === "user") closes = true;
    if (unit.author !== "assistant") return unit;
    const telling = (unit.isAfterFailure ? TELLING : 1) * (unit.isBeforeChange ? TELLING : 1);
    const weighted = { ...unit, worth: (closes ? WORTH.closing : WORTH.step) * telling };
    closes = false;
    return weighted;
  });
  const first = said.findIndex(({ author }) => author === "user");
  return weighed.reverse().map((unit, at) => (at === first ? { ...unit, worth: WORTH.firstRequest } : unit));
}

const SPEAKER = /^(\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30})?): /u;

/** Where nearly all of an author's messages begin with one name, it is the author's. */
function withSpeakers(said: readonly Unit[]): readonly Unit[] {
  const names = new Map<Author, string>();
  for (const author of ["user", "assistant"] as const) {
    const own = said.filter((unit) => unit.author === author);
    const name = SPEAKER.exec(own[0]?.text ?? "")?.[1];
    if (name !== undefined && own.filter(({ text }) => text.startsWith(`${name}: `)).length > own.length * 0.8)
      names.set(author, name);
  }
  return said.map((unit) => {
    const speaker = names.get(unit.author);
    return speaker === undefined || !unit.text.startsWith(`${speaker}: `)
      ? unit
      : { ...unit, speaker, text: unit.text.slice(speaker.length + 2) };
  });
}

function whole(section: Section, source: Source, text: string, worth: number): Unit {
  const author = section === "rules" ? "user" : "tool";
  return { section, author, source, lead: "", text, worth, isWhole: true };
}

const STATUS = { done: "Done", in_progress: "In progress", not_started: "Not started" } as const;

/** Rules, steps of plans, errors and commands: a line each. */
function lineUnits({ rules, plans, errors, commands }: Ledger): readonly Unit[] {
  return [
    ...rules.map(({ text, source }) => whole("rules", source, text, WORTH.rule)),
    ...plans.flatMap(({ items, source }) =>
      items.flatMap(({ text, status, state }) => {
        if (status === "dropped") return [];
        const told = state === undefined ? STATUS[status] : `${state.charAt(0).toUpperCase()}${state.slice(1)}`;
        return whole("state", source, `${told}: ${text}`, status === "done" ? WORTH.planDone : WORTH.planOpen);
      }),
    ),
    // Its last state, what it was, what it came from, what was tried, what helped.
    ...errors.map(({ status, text, from, tried = [], fix, source }) => {
      const isOpen = status === "open";
      const steps = [...tried.map((step) => `; did not help: ${step}`), ...(fix === undefined ? [] : [`; ${fix}`])];
      const line = flat(`${isOpen ? "Open" : "Fixed"}: ${text} (${from})${steps.join("")}`);
      return whole("errors", source, line, isOpen ? WORTH.errorOpen : WORTH.errorFixed);
    }),
    ...commands.map(({ command, outcome, detail, runs, failures = 0, source }) => {
      const alike = outcome === "failed" ? failures : runs - failures;
      const times = runs > 1 ? ` (${alike === runs ? "" : `${alike} of `}${runs} runs)` : "";
      const result = `${outcome}${detail === undefined ? "" : `: ${detail}`}${times}`;
      return whole(
        "commands",
        source,
        flat(`\`${command}\` ${result}`),
        isProbe(command) ? WORTH.probe : WORTH.command,
      );
    }),
  ];
}

/** A changed file stays with its path and the names of what changed in it, whatever becomes of the changed lines. */
function fileUnits({ files }: Ledger): readonly Unit[] {
  const changed = files.filter(({ operation }) => operation !== "read");
  return changed.map(({ path, to, operation, source, lines, symbols }) => {
    const isScratch = SCRATCH.test(path);
    const where = `${path}${to === undefined ? "" : ` -> ${to}`}${operation === "written" ? "" : ` (${operation})`}`;
    return {
      section: "written",
      author: "tool",
      source,
      lead: [where, isScratch ? "" : symbols.join(", ")].filter(Boolean).join(": "),
      text: isScratch ? "" : lines.join("\n"),
      worth: isScratch ? WORTH.probe : WORTH.file,
      stays: "lead",
      path,
      detailFrom: 0,
    };
  });
}

/** A line is all there is. */
function attachmentUnits({ attachments }: Ledger): readonly Unit[] {
  return attachments.map(({ text, times, source }) => ({
    section: "attached",
    author: "tool",
    source,
    lead: times > 1 ? `${text} (${times} times)` : text,
    text: "",
    worth: WORTH.file,
    stays: "lead",
  }));
}

/** JSON in one line has no sentences: it is broken between its fields. */
function brokenUp(text: string): string {
  const isOneLine = text.length > 200 && !text.slice(0, 400).includes("\n");
  return isOneLine ? text.replace(/(.{80,160}?[,}\]]) /gu, "$1\n") : text;
}

/** Words of users that have to stay whole while they take less than a share of the room. */
export function isUsersOwn(unit: Unit): boolean {
  return unit.section === "talk" && unit.author === "user";
}
