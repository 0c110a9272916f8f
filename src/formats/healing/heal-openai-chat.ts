// Makes a damaged OpenAI chat list valid: each call is followed by exactly its results, in one block, and what
// has no place there becomes a note. Shapes are mended first, in clean-openai-chat.ts.
import type { Healed, MessageView } from "../format.ts";
import type { JsonObject } from "../json-shape.ts";
import { asArray, isObject } from "../json-shape.ts";
import type { PairedCall, Pairing } from "../pairing.ts";
import { pairCalls } from "../pairing.ts";
import { copyWith, markHostWritten } from "../protected.ts";
import { viewChatMessage } from "../views/openai-chat-view.ts";
import { cleanChatMessage } from "./clean-openai-chat.ts";
import type { Repairs } from "./notes.ts";
import { duplicateNote, MISSING_RESULT, orphanNote } from "./notes.ts";
import { RENAMED, renameClashes } from "./renamed-calls.ts";
import { shapeChatCalls } from "./shape-chat-calls.ts";

/** Heals a list; see `Format.heal`. */
export function healChat(messages: readonly unknown[]): Healed {
  const repairs: Repairs = [];
  const kept = shapeChatCalls(messages, repairs).flatMap((message, index) => {
    const cleaned = cleanChatMessage(message, index, repairs);
    return cleaned === undefined ? [] : [{ index, message: cleaned }];
  });
  const views = kept.map(({ message }) => viewChatMessage(message));
  const healer = new ChatHealer(
    kept.map(({ message }) => message),
    kept.map(({ index }) => index),
    views,
    repairs,
  );
  const healed = healer.heal();
  return repairs.length === 0 ? { messages, repairs } : { messages: healed, repairs };
}

class ChatHealer {
  readonly #messages: readonly JsonObject[];
  readonly #indices: readonly number[];
  readonly #views: readonly MessageView[];
  readonly #repairs: Repairs;
  readonly #pairing: Pairing;
  readonly #callsAt = new Map<number, PairedCall[]>();
  readonly #renamed: ReadonlyMap<PairedCall, string>;
  /** The step in flight at the end of the list, if any: its missing results may still arrive. */
  readonly #openStep: number;
  readonly #out: unknown[] = [];
  #openStepStart = -1;

  constructor(
    messages: readonly JsonObject[],
    indices: readonly number[],
    views: readonly MessageView[],
    repairs: Repairs,
  ) {
    this.#messages = messages;
    this.#indices = indices;
    this.#views = views;
    this.#repairs = repairs;
    this.#pairing = pairCalls(views);
    for (const call of this.#pairing.calls) {
      const calls = this.#callsAt.get(call.index);
      if (calls === undefined) this.#callsAt.set(call.index, [call]);
      else calls.push(call);
    }
    this.#renamed = renameClashes(this.#pairing, (call, earlier) => earlier.index === call.index);
    const last = views.findLastIndex((view) => view.role !== "tool");
    this.#openStep = this.#callsAt.has(last) ? last : -1;
  }

  heal(): readonly unknown[] {
    for (const [at, message] of this.#messages.entries()) {
      if (this.#views[at]?.role === "tool") this.#placeResult(at, message);
      else this.#placeStep(at, message);
    }
    return this.#out;
  }

  #placeStep(at: number, message: JsonObject): void {
    if (at === this.#openStep) this.#openStepStart = this.#out.length;
    const calls = this.#callsAt.get(at) ?? [];
    this.#out.push(this.#withCallIds(message, calls));
    const results = calls.flatMap((call) => this.#firstResult(call));
    results.sort((left, right) => left.at - right.at);
    for (const result of results) this.#out.push(result.message);
    for (const call of calls) this.#answerDeadCall(call, at);
  }

  #firstResult(call: PairedCall): { readonly at: number; readonly message: unknown }[] {
    const first = call.results[0];
    const message = first === undefined ? undefined : this.#messages[first.index];
    if (first === undefined || message === undefined) return [];
    const id = this.#renamed.get(call);
    return [{ at: first.index, message: id === undefined ? message : copyWith(message, { tool_call_id: id }) }];
  }

  #withCallIds(message: JsonObject, calls: readonly PairedCall[]): JsonObject {
    const clashes = calls.filter((call) => this.#renamed.has(call));
    if (clashes.length === 0) return message;
    for (const call of clashes) {
      const index = this.#original(call.index);
      this.#repairs.push({ index, kind: "duplicate_call", callId: call.callId, action: RENAMED });
    }
    const given = asArray(message.tool_calls).map((call, ordinal) => {
      const paired = calls[ordinal];
      const id = paired === undefined ? undefined : this.#renamed.get(paired);
      return id === undefined || !isObject(call) ? call : { ...call, id };
    });
    return copyWith(message, { tool_calls: given });
  }

  #answerDeadCall(call: PairedCall, at: number): void {
    if (call.results.length > 0 || at === this.#openStep || call.callId.startsWith("function:")) return;
    const id = this.#renamed.get(call) ?? call.callId;
    this.#out.push({ role: "tool", tool_call_id: id, content: MISSING_RESULT });
    const action = "added a result that says that none was recorded";
    this.#repairs.push({ index: this.#original(at), kind: "dead_call", callId: call.callId, action });
  }

  /** The first result of a call was placed with the call; what is left here is out of order, double or orphaned. */
  #placeResult(at: number, message: JsonObject): void {
    const view = this.#views[at];
    const part = view?.parts.find((candidate) => candidate.kind === "result");
    const text = part?.kind === "result" ? part.text : "";
    const call = this.#pairing.callOf(at, 0);
    const index = this.#original(at);
    if (call === undefined) {
      this.#note(orphanNote(text));
      this.#repairs.push({
        index,
        kind: "orphan_result",
        callId: String(message.tool_call_id ?? ""),
        action: "kept as a note",
      });
    } else if (call.results[0]?.index !== at) {
      const isSame = call.results[0]?.text === text;
      if (!isSame) this.#note(duplicateNote(text));
      const action = isSame ? "dropped the repetition" : "kept as a note";
      this.#repairs.push({ index, kind: "duplicate_result", callId: call.callId, action });
    } else if (!this.#isDirectlyAfter(call.index, at)) {
      this.#repairs.push({ index, kind: "displaced_result", callId: call.callId, action: "moved to its call" });
    }
  }

  /** A note may not part an open step from the results still to come, so there it goes before the step. */
  #note(content: string): void {
    const note = markHostWritten({ role: "user", content });
    if (this.#openStepStart < 0) this.#out.push(note);
    else {
      this.#out.splice(this.#openStepStart, 0, note);
      this.#openStepStart += 1;
    }
  }

  #isDirectlyAfter(call: number, result: number): boolean {
    const between = this.#lastNonTool[result];
    return between === call;
  }

  /** For each index, the nearest earlier message that is not a tool's. */
  get #lastNonTool(): readonly number[] {
    this.#nonTools ??= lastBefore(this.#views);
    return this.#nonTools;
  }
  #nonTools: readonly number[] | undefined;

  #original(at: number): number {
    return this.#indices[at] ?? at;
  }
}

function lastBefore(views: readonly MessageView[]): readonly number[] {
  let last = -1;
  return views.map((view, at) => {
    const before = last;
    if (view.role !== "tool") last = at;
    return before;
  });
}
