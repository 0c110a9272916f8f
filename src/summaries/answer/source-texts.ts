// What an answer may rest on: the passages, the ledger's facts, the earlier summary and the note. Everything an answer
// names is looked for here and nowhere else.
import { cite, type Ledger, type Source } from "../../facts/ledger.ts";
import type { Passage, SummaryRequest } from "../summarizer.ts";
import { citedIds } from "./citations.ts";

export interface SourceText {
  readonly text: string;
  /** The message that is cited for it; absent where there is none. */
  readonly id?: string;
  /** `record`: what an earlier summary says that users said. `ledger`: anything else that is no passage. */
  readonly source: Passage["source"] | "ledger";
}

export interface Sources {
  /** Oldest first; passages last, so that the newest mention is found first from the end. */
  readonly texts: readonly SourceText[];
  /** All that may be cited, with who said it. */
  readonly ids: ReadonlyMap<string, SourceText["source"]>;
}

export function collectSources({ passages, ledger, previous, note }: SummaryRequest): Sources {
  const facts = factTexts(ledger);
  const ids = new Map<string, SourceText["source"]>();
  const record = splitRecord(previous ?? "");
  for (const id of citedIds(record.others)) ids.set(id, "ledger");
  for (const id of citedIds(record.users)) ids.set(id, "record");
  for (const { id, source } of facts) if (id !== undefined) ids.set(id, source);
  // A message may hold a tool's output and a person's words: where both are cited, the person is.
  for (const { id, source } of passages) if (source !== "tool" || ids.get(id) !== "user") ids.set(id, source);
  const beside: SourceText[] = [];
  if (note !== undefined) beside.push({ text: note, source: "note" });
  beside.push({ text: record.others, source: "ledger" }, { text: record.users, source: "record" });
  return { texts: beside.concat(facts, passages), ids };
}

/** Of an earlier summary, what it says that users said, apart from what tools and the assistant did. */
function splitRecord(text: string): { readonly users: string; readonly others: string } {
  const parts = { users: [] as string[], others: [] as string[] };
  for (const section of text.split(/^## /m)) {
    parts[/^(?:Goals and requests|Rules and constraints)/.test(section) ? "users" : "others"].push(section);
  }
  return { users: parts.users.join("\n"), others: parts.others.join("\n") };
}

/** One text a fact, cited where the fact was seen; the other places it names may be cited too. */
function factTexts(ledger: Ledger): readonly SourceText[] {
  const found: SourceText[] = [];
  for (const facts of Object.values(ledger)) {
    if (!Array.isArray(facts)) continue;
    for (const fact of facts as readonly {
      readonly kind: string;
      readonly author?: string;
      readonly source: Source;
    }[]) {
      const { strings, sources } = readFact(fact);
      const source = USERS.has(fact.kind) && fact.author !== "host" ? "user" : "ledger";
      found.push({ id: cite(fact.source), source, text: strings.join("\n") });
      for (const other of sources) found.push({ id: cite(other), source: "ledger", text: "" });
    }
  }
  return found;
}

/** Kinds of facts that hold what a user said. */
const USERS: ReadonlySet<string> = new Set(["user_message", "rule", "response"]);
/** Fields of a fact that say what it is, in words of ours: nobody said them. */
const LABELS: ReadonlySet<string> = new Set(["kind", "author", "source"]);

function readFact(fact: object): { readonly strings: readonly string[]; readonly sources: readonly Source[] } {
  const strings: string[] = [];
  const sources: Source[] = [];
  const open: unknown[] = Object.entries(fact).flatMap(([key, value]) => (LABELS.has(key) ? [] : [value]));
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") strings.push(next);
    else if (typeof next === "object" && next !== null) {
      if (isSource(next)) sources.push(next);
      else for (const value of Object.values(next)) open.push(value);
    }
  }
  return { strings, sources };
}

function isSource(value: object): value is Source {
  return "step" in value && "message" in value && typeof value.step === "number" && typeof value.message === "number";
}
