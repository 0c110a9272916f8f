// Follows the lines of a rollout file to the items that the model was shown. The host's compactions are undone where
// the items before them are in the file, turns that were taken back go.
import type { JsonObject } from "../../json-shape.ts";
import { isHostWritten, markHostWritten } from "../../protected.ts";
import { isMessageItem } from "../../views/openai-responses-view.ts";
import { isHostsItem, messageItem, toResponsesItem } from "./codex-item.ts";
import type { CodexLine } from "./codex-line.ts";
import type { CodexSession } from "./codex-sessions.ts";

interface Piece {
  readonly item: JsonObject;
  readonly line: number;
}

export class CodexTranscript {
  readonly pieces: Piece[] = [];
  model = "";
  rewoundPrompts = 0;
  compactions = 0;
  hostsItems = 0;
  /** Positions in `pieces` of what a person said. */
  readonly #prompts: number[] = [];
  /** Something that a compaction could stand for is in `pieces`. */
  #hasTalk = false;

  addSession({ lines, isFork }: CodexSession): void {
    if (!isFork) this.#hasTalk = false;
    const spoken = rolesSpoken(lines);
    for (const line of lines) this.#addLine(line, spoken);
  }

  #addLine(line: CodexLine, spoken: ReadonlySet<string>): void {
    if (line.kind === "item") this.#addItem(line.item, line.line);
    else if (line.kind === "compacted") this.#addCompaction(line);
    else if (line.kind === "step-back") this.#stepBack(line.turns);
    else if (line.kind === "model") this.model = line.model;
    else if (line.kind === "shown" && !spoken.has(line.role) && line.text.trim() !== "")
      this.#push(messageItem(line.role, line.text), line.line);
  }

  #addItem(item: JsonObject, line: number): void {
    if (isHostsItem(item)) this.hostsItems += 1;
    else this.#push(toResponsesItem(item), line);
  }

  #push(item: JsonObject, line: number): void {
    if (isPersons(item)) this.#prompts.push(this.pieces.length);
    if (!isMessageItem(item) || item.role === "assistant" || isPersons(item)) this.#hasTalk = true;
    this.pieces.push({ item, line });
  }

  #addCompaction({ summary, replacement, line }: CodexLine & { readonly kind: "compacted" }): void {
    if (!this.#hasTalk && replacement.length > 0) {
      for (const item of replacement) this.#addItem(item, line);
      return;
    }
    if (this.#hasTalk) this.compactions += 1;
    if (summary.trim() !== "") this.#push(markHostWritten(messageItem("user", summary)), line);
  }

  #stepBack(turns: number): void {
    const count = Math.min(Math.floor(turns), this.#prompts.length);
    const start = this.#prompts[this.#prompts.length - count];
    if (count < 1 || start === undefined) return;
    this.rewoundPrompts += count;
    this.#prompts.length -= count;
    this.pieces.length = start;
  }
}

function isPersons(item: JsonObject): boolean {
  return isMessageItem(item) && item.role === "user" && !isHostWritten(item);
}

/** The roles of which there are messages among the items, so that what the host showed of them is written twice. */
function rolesSpoken(lines: readonly CodexLine[]): ReadonlySet<string> {
  const roles = new Set<string>();
  for (const line of lines) {
    const items = line.kind === "item" ? [line.item] : line.kind === "compacted" ? line.replacement : [];
    for (const item of items.map(toResponsesItem)) {
      if (item.role === "assistant" && isMessageItem(item)) roles.add("assistant");
      else if (isPersons(item)) roles.add("user");
    }
  }
  return roles;
}
