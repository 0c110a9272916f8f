// Collects what a host's file says to and from the model, in order, and gives it as Anthropic messages. For hosts
// whose files are plain lists: no branches to follow, each answer in one place.
import type { JsonObject } from "../../json-shape.ts";
import type { ReadNote, SessionRead } from "../reader.ts";
import type { BranchLine } from "../session-messages.ts";
import { assembleMessages } from "../session-messages.ts";
import { CallIds } from "./call-ids.ts";

export class SessionDraft {
  readonly callIds = new CallIds();
  /** Passages of reasoning that no Anthropic message can hold. */
  unsigned = 0;
  /** Of the last answer that names one. */
  model = "";
  readonly #lines: BranchLine[] = [];

  /** `line`: 1-based, 0 in a file that is one JSON document. Blocks of the host are marked by who makes them. */
  addUser(blocks: readonly JsonObject[], line: number, isHostWritten = false): void {
    this.#add({ role: "user", blocks, isHostWritten }, line);
  }

  addAnswer(blocks: readonly JsonObject[], line: number): void {
    this.#add({ role: "assistant", blocks, isHostWritten: false }, line);
  }

  /** The whole reading; `notes` say what was left out. */
  finish(sessionId: string | undefined, notes: readonly ReadNote[]): SessionRead {
    const { messages, sources } = assembleMessages(this.#lines);
    return {
      sessionId,
      messages,
      notes,
      sources: sources.map((lines) => [...new Set(lines.filter((line) => line > 0))]),
      ...(this.model === "" ? {} : { model: this.model }),
    };
  }

  #add(said: Pick<NonNullable<BranchLine["message"]>, "role" | "blocks" | "isHostWritten">, line: number): void {
    if (said.blocks.length === 0) return;
    this.#lines.push({ line, message: { ...said, id: `line ${this.#lines.length}`, model: "" } });
  }
}
