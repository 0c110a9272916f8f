// Follows the records of a Gemini CLI chat to the messages that stand at its end. One document holds them all; in the
// newer files a message is written again whenever it grows, `$rewindTo` takes messages back, and `$set` replaces the
// list, by which the host compacts. Its compactions are undone.
import type { JsonObject } from "../../json-shape.ts";
import { asText, isFilledText, isObject, toJson } from "../../json-shape.ts";
import type { SessionValue } from "../parts/session-values.ts";

export interface GeminiRecord {
  readonly message: JsonObject;
  readonly line: number;
  /** It came with a shorter list: the host's summary. */
  readonly isHosts: boolean;
}

const TYPES = ["user", "gemini", "info", "error", "warning"] as const;

export class GeminiChat {
  readonly id: string | undefined;
  compactions = 0;
  rewoundPrompts = 0;
  readonly #records: GeminiRecord[] = [];
  /** For each record, how many up to it are the user's or the model's. */
  readonly #talk: number[] = [];
  /** By kind and id: the position in `#records`. */
  readonly #places = new Map<string, number>();

  constructor(id: string | undefined) {
    this.id = id;
  }

  get records(): readonly GeminiRecord[] {
    return this.#records;
  }

  /** A line of its own: the latest writing of a message counts. */
  write(message: JsonObject, line: number): void {
    const place = this.#places.get(keyOf(message));
    if (place === undefined) this.#append({ message, line, isHosts: false });
    else this.#records[place] = { message, line, isHosts: this.#records[place]?.isHosts === true };
  }

  /** The messages of a document, as they stand there. */
  list(messages: readonly unknown[], line: number): void {
    for (const message of messages) if (isObject(message)) this.#append({ message, line, isHosts: false });
  }

  /** The message with this id and all after it go; one that is not there takes nothing back. */
  rewindTo(id: unknown): void {
    const places = TYPES.map((type) => this.#places.get(`${type} ${asText(id)}`));
    const place = places.find((known) => known !== undefined);
    if (place !== undefined) this.#cut(place);
  }

  /** What the host sends from now on. What it took from the end is gone; of what it took before, all stays. */
  replace(list: readonly unknown[], line: number): void {
    const messages = list.filter(isObject);
    const places = messages.map((message) => this.#places.get(keyOf(message)));
    const known = new Set(places.filter((place) => place !== undefined));
    const last = places.reduce<number>((most, place) => Math.max(most, place ?? -1), -1);
    const isNewAtEnd = messages.length > 0 && places.at(-1) === undefined;
    const isCompacted = known.size < (this.#talk[isNewAtEnd ? this.#talk.length - 1 : last] ?? 0);
    if (isCompacted) this.compactions += 1;
    else if (last >= 0 && !isNewAtEnd) this.#cut(last + 1);
    const firstKnown = places.findIndex((place) => place !== undefined);
    for (const [at, message] of messages.entries()) {
      const isBefore = firstKnown < 0 || at < firstKnown;
      this.#keepFullest({ message, line, isHosts: isCompacted && isBefore && message.type === "user" });
    }
  }

  /** The host also shortens what tools gave back; results that came late make a message longer. */
  #keepFullest(record: GeminiRecord): void {
    const place = this.#places.get(keyOf(record.message));
    const known = place === undefined ? undefined : this.#records[place];
    if (place === undefined || known === undefined) this.#append(record);
    else if (toJson(record.message).length > toJson(known.message).length) {
      this.#records[place] = { ...known, message: record.message };
    }
  }

  #append(record: GeminiRecord): void {
    const isTalk = record.message.type === "user" || record.message.type === "gemini";
    this.#talk.push((this.#talk.at(-1) ?? 0) + (isTalk ? 1 : 0));
    this.#places.set(keyOf(record.message), this.#records.length);
    this.#records.push(record);
  }

  #cut(start: number): void {
    this.#talk.length = Math.min(start, this.#talk.length);
    for (const { message } of this.#records.splice(start)) {
      this.#places.delete(keyOf(message));
      if (message.type === "user") this.rewoundPrompts += 1;
    }
  }
}

/** The chats of a file, in order: one, unless files were joined. */
export function readGeminiChats(values: readonly SessionValue[]): readonly GeminiChat[] {
  const chats: GeminiChat[] = [];
  for (const { value, line } of values) {
    if (!isObject(value)) continue;
    const id = isFilledText(value.sessionId) ? value.sessionId : undefined;
    let chat = chats.at(-1);
    if (chat === undefined || (id !== undefined && id !== chat.id)) {
      chat = new GeminiChat(id);
      chats.push(chat);
    }
    addValue(chat, value, line);
  }
  return chats;
}

function addValue(chat: GeminiChat, value: JsonObject, line: number): void {
  const { $rewindTo: target, $set: fields } = value;
  const messages = isObject(fields) ? fields.messages : value.messages;
  if (target !== undefined) chat.rewindTo(target);
  else if (Array.isArray(messages)) {
    if (chat.records.length === 0) chat.list(messages, line);
    else chat.replace(messages, line);
  } else if (isFilledText(value.type)) chat.write(value, line);
}

function keyOf(message: JsonObject): string {
  return isFilledText(message.id) ? `${asText(message.type)} ${message.id}` : toJson(message);
}
