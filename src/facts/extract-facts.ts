// Extracts the ledger of a stretch of conversation: user messages verbatim, files, identifiers, closing
// statements, each with its source. Only text of a user message becomes a user message; text from tools is
// never promoted.
import type { MessageView } from "../formats/format.ts";
import { cutAt } from "../text/cut.ts";
import { fileOperations } from "./file-operations.ts";
import { findIdentifiers, type Identifier } from "./identifiers.ts";
import type { FileFact, IdentifierFact, Ledger, Source, StatementFact, UserMessageFact } from "./ledger.ts";

/** Of a closing statement, the part that says what was done; the rest stays in the archive. */
const STATEMENT_UNITS = 400;

/** A message to take facts from. */
export interface FactInput {
  readonly view: MessageView;
  readonly source: Source;
}

/** `redact` is applied to every text before anything is read from it, so no fact holds a secret. */
export function extractFacts(inputs: readonly FactInput[], redact: (text: string) => string): Ledger {
  const userMessages: UserMessageFact[] = [];
  const statements: StatementFact[] = [];
  const files = new Map<string, FileFact>();
  const identifiers = new Map<string, IdentifierFact>();
  for (const { view, source } of inputs) {
    for (const fact of messageIdentifiers(view, redact)) recordIdentifier(identifiers, fact, source);
    for (const operation of messageFiles(view, redact)) recordFile(files, { kind: "file", ...operation, source });
    for (const { author, blocks } of userTexts(view)) {
      userMessages.push({ kind: "user_message", blocks: blocks.map(redact), author, source });
    }
    const statement = closingStatement(view);
    if (statement !== undefined)
      statements.push({ kind: "statement", text: cutAt(redact(statement), STATEMENT_UNITS), source });
  }
  return { version: 1, userMessages, files: [...files.values()], identifiers: [...identifiers.values()], statements };
}

interface UserText {
  readonly author: UserMessageFact["author"];
  readonly blocks: string[];
}

/** The texts of a user message, neighbours of one author together; none for a message that only carries results. */
function userTexts(view: MessageView): readonly UserText[] {
  const texts: UserText[] = [];
  if (view.role !== "user") return texts;
  for (const part of view.parts) {
    if (part.kind !== "text" || part.text.trim() === "") continue;
    const author = view.isHostWritten || part.isHostWritten ? "host" : "user";
    const last = texts.at(-1);
    if (last?.author === author) last.blocks.push(part.text);
    else texts.push({ author, blocks: [part.text] });
  }
  return texts;
}

/** Text of an assistant message without tool calls: an answer, not a step towards one. */
function closingStatement(view: MessageView): string | undefined {
  if (view.role !== "assistant" || view.parts.some((part) => part.kind === "call")) return undefined;
  const texts = visibleTexts(view);
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** A file keeps the strongest operation: written outranks read; otherwise the latest source wins. */
export function recordFile(files: Map<string, FileFact>, fact: FileFact): void {
  const known = files.get(fact.path);
  if (known?.operation === "written" && fact.operation === "read") return;
  files.set(fact.path, fact);
}

function visibleTexts(view: MessageView): readonly string[] {
  return view.parts.flatMap((part) => (part.kind === "text" && part.text.trim() !== "" ? [part.text] : []));
}

function recordIdentifier(known: Map<string, IdentifierFact>, { form, value }: Identifier, source: Source): void {
  const mentions = (known.get(value)?.mentions ?? 0) + 1;
  known.set(value, { kind: "identifier", form, value, mentions, source });
}

/** Distinct identifiers of one message: however often a message names one, it is one mention. */
function messageIdentifiers(view: MessageView, redact: (text: string) => string): Iterable<Identifier> {
  const found = new Map<string, Identifier>();
  for (const part of view.parts) {
    for (const text of part.kind === "call" ? argumentTexts(part.arguments) : partTexts(part)) {
      for (const identifier of findIdentifiers(redact(text))) found.set(identifier.value, identifier);
    }
  }
  return found.values();
}

function messageFiles(view: MessageView, redact: (text: string) => string) {
  return view.parts.flatMap((part) => (part.kind === "call" ? fileOperations(part.name, redact(part.arguments)) : []));
}

function partTexts(part: MessageView["parts"][number]): readonly string[] {
  return part.kind === "text" || part.kind === "result" ? [part.text] : [];
}

/** The strings of a call's JSON arguments, unescaped: a path after an escaped line break is a path too. */
function argumentTexts(text: string): readonly string[] {
  const texts: string[] = [];
  try {
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === "string") texts.push(value);
      return undefined;
    });
    return texts;
  } catch {
    return [text];
  }
}
