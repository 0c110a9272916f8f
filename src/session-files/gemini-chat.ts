// Follows the records of a Gemini CLI chat to the messages that stand at its end. One document holds them all; in the
// newer files a message is written again whenever it grows, `$rewindTo` takes messages back, and `$set` replaces the
// list, by which the host compacts. Its compactions are undone.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import type { SessionValue } from "./session-values.ts";

export interface GeminiRecord {
  readonly message: JsonObject;
  readonly line: number;
  /** It came with a shorter list: the host's summary, and that it was taken in. */
  readonly isHosts: boolean;
  /** Where it stands among the others: a summary before what was kept behind it. */
  readonly place: number;
  /** Of the host's summary: how many of the user's and the model's messages left for it. */
  readonly left: number | undefined;
}

const TYPES = ["user", "gemini", "info", "error", "warning"] as const;

class GeminiChat {
  readonly id: string | undefined;
  compactions = 0;
  rewoundPrompts = 0;
  readonly #records: GeminiRecord[] = [];
  /** For each record, how many up to it are the user's or the model's. */
  readonly #talk: number[] = [];
  /** By kind and id: the position in `#records`; by the id of a call, too, that of the call and that of its result. */
  readonly #places = new Map<string, number>();
  #isResumed = false;
  /** Of the user's and the model's, those that summaries stand for. */
  #gone = 0;

  constructor(id: string | undefined) {
    this.id = id;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** In the order in which the model saw them. */
  records(): readonly GeminiRecord[] {
    return spreadCalls([...this.#records].sort((one, other) => one.place - other.place));
  }

  /** Another process goes on: it begins with the host's own words and lists the others after that. */
  resume(): void {
    this.#isResumed = true;
  }

  /** A line of its own: the latest writing of a message counts. */
  write(message: JsonObject, line: number): void {
    const place = this.#places.get(keyOf(message));
    const known = place === undefined ? undefined : this.#records[place];
    if (place === undefined || known === undefined) this.#append(message, line);
    else this.#put(place, { ...known, message, line });
  }

  /** The messages of a document, as they stand there. */
  list(messages: readonly unknown[], line: number): void {
    for (const message of messages) if (isObject(message)) this.#append(message, line);
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
    this.#knowCopies(messages);
    const listed = messages.filter((message) => this.#places.has(keyOf(message)) || !this.#isGiven(message));
    const places = listed.map((message) => this.#places.get(keyOf(message)));
    const known = new Set(places.filter((place) => place !== undefined));
    const last = places.reduce<number>((most, place) => Math.max(most, place ?? -1), -1);
    const isNewAtEnd = listed.length > 0 && places.at(-1) === undefined;
    const isShorter = known.size < (this.#talk[isNewAtEnd ? this.#talk.length - 1 : last] ?? 0);
    if (!isShorter && last >= 0 && !isNewAtEnd && !this.#isResumed) this.#cut(last + 1);
    this.#isResumed = false;
    const end = places.findLastIndex((place) => place !== undefined);
    // What is new there stands for what is gone: the summary, and that the model took it in. */
    const isSummed = isShorter && places.some((place, at) => place === undefined && (at < end || end < 0));
    const left = isSummed ? this.#compact(known.size) : undefined;
    let isSummary = isSummed;
    const behind = nextKnown(places);
    for (const [at, message] of listed.entries()) {
      const place = places[at];
      if (place !== undefined) {
        this.#keepFullest(message, place);
        continue;
      }
      // The host says in the model's name that it was taken in.
      const isTakenIn = message.type === "gemini" && callsOf(message).length === 0;
      const isHosts = isSummary && (message.type === "user" || isTakenIn);
      if (message.type === "gemini") isSummary = false;
      const next = behind[at];
      const before = isShorter && next !== undefined ? (this.#records[next]?.place ?? next) - 0.5 : undefined;
      this.#append(message, line, { isHosts, place: before, left });
    }
  }

  /** Gives how many messages leave, where `staying` stay. */
  #compact(staying: number): number {
    this.compactions += 1;
    const gone = (this.#talk.at(-1) ?? 0) - staying;
    const left = Math.max(0, gone - this.#gone);
    this.#gone = gone;
    return left;
  }

  /** A result that the chat holds already, under another id. */
  #isGiven(message: JsonObject): boolean {
    const ids = answersOf(message);
    return ids.length > 0 && textOf(message) === "" && ids.every((id) => this.#places.has(`answer ${id}`));
  }

  /** A host that compacts writes what it keeps anew, under other ids: the end of the list is the end of the chat. */
  #knowCopies(messages: readonly JsonObject[]): void {
    const listed = new Set(messages.map(keyOf));
    let place = this.#records.length - 1;
    for (const message of [...messages].reverse()) {
      const key = keyOf(message);
      const known = this.#places.get(key);
      if (known !== undefined) {
        place = Math.min(place, known - 1);
        continue;
      }
      const text = textOf(message);
      let copied = text === "" ? this.#placeOfCalls(message) : undefined;
      if (text !== "") {
        while (place >= 0 && this.#isSilent(place)) place -= 1;
        const record: JsonObject = this.#records[place]?.message ?? {};
        const isCopy = record.type === message.type && textOf(record) === text && !listed.has(keyOf(record));
        if (isCopy) copied = place;
        place -= 1;
      }
      if (copied === undefined) return;
      this.#places.set(key, copied);
    }
  }

  /** Nothing that the user or the model said. */
  #isSilent(place: number): boolean {
    const record = this.#records[place];
    return record === undefined || record.isHosts || textOf(record.message) === "";
  }

  /** Of a message that says nothing: where the same calls are made, or the same results stand. */
  #placeOfCalls(message: JsonObject): number | undefined {
    const places = callKeys(message).map((key) => this.#places.get(key));
    return places.includes(undefined) ? undefined : places[0];
  }

  /** The host also shortens what tools gave back; results that came late make a message longer. */
  #keepFullest(message: JsonObject, place: number): void {
    const known = this.#records[place];
    if (known === undefined || known.isHosts || keyOf(known.message) !== keyOf(message)) return;
    if (toJson(message).length > toJson(known.message).length) this.#put(place, { ...known, message });
  }

  #append(
    message: JsonObject,
    line: number,
    { isHosts = false, place, left }: { isHosts?: boolean; place?: number | undefined; left?: number | undefined } = {},
  ): void {
    this.#talk.push((this.#talk.at(-1) ?? 0) + (isTalk(message) ? 1 : 0));
    this.#places.set(keyOf(message), this.#records.length);
    this.#put(this.#records.length, { message, line, isHosts, place: place ?? this.#records.length, left });
  }

  #put(at: number, record: GeminiRecord): void {
    this.#records[at] = record;
    for (const key of callKeys(record.message)) if (!this.#places.has(key)) this.#places.set(key, at);
  }

  #cut(start: number): void {
    this.#talk.length = Math.min(start, this.#talk.length);
    for (const { message } of this.#records.splice(start)) {
      for (const key of [keyOf(message), ...callKeys(message)])
        if ((this.#places.get(key) ?? -1) >= start) this.#places.delete(key);
      if (message.type === "user") this.rewoundPrompts += 1;
    }
  }
}

/** For each message of a list the place of the next that is known. */
function nextKnown(places: readonly (number | undefined)[]): readonly (number | undefined)[] {
  let next: number | undefined;
  return places
    .toReversed()
    .map((place) => {
      next = place ?? next;
      return next;
    })
    .toReversed();
}

/**
 * In chats that an editor leads, one record gathers every call: each goes where its result stands, or by its time
 * where no result stands alone.
 */
function spreadCalls(records: readonly GeminiRecord[]): readonly GeminiRecord[] {
  const answers = new Map<string, number>();
  /** How many messages are before each, and the latest time up to each. */
  const talkBefore = [0];
  const latest: string[] = [];
  for (const [at, { message }] of records.entries()) {
    for (const id of answersOf(message)) if (!answers.has(id)) answers.set(id, at);
    talkBefore.push((talkBefore[at] ?? 0) + (isTalk(message) ? 1 : 0));
    const time = asText(message.timestamp);
    const isLater = at === 0 || time > (latest[at - 1] ?? "");
    latest.push(isLater ? time : (latest[at - 1] ?? ""));
  }
  const moved = new Map<number, GeminiRecord[]>();
  const kept = records.map((record, at): GeminiRecord => {
    const calls = asArray(record.message.toolCalls).filter(isObject);
    const staying = calls.filter((call) => {
      const target = answers.get(asText(call.id)) ?? firstAfter(latest, asText(call.timestamp));
      if (target <= at || talkBefore[target] === talkBefore[at + 1]) return true;
      const message = { type: "gemini", model: record.message.model, content: "", toolCalls: [call] };
      const others = moved.get(target);
      if (others === undefined) moved.set(target, [{ ...record, message }]);
      else others.push({ ...record, message });
      return false;
    });
    return staying.length === calls.length ? record : { ...record, message: { ...record.message, toolCalls: staying } };
  });
  return [...kept.flatMap((record, at) => [...(moved.get(at) ?? []), record]), ...(moved.get(records.length) ?? [])];
}

/** The first position with a later time than this, 0 for no time. */
function firstAfter(times: readonly string[], time: string): number {
  if (time === "") return 0;
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((times[middle] ?? "") > time) high = middle;
    else low = middle + 1;
  }
  return low;
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
    } else if (id !== undefined) chat.resume();
    addValue(chat, value, line);
  }
  return chats;
}

function addValue(chat: GeminiChat, value: JsonObject, line: number): void {
  const { $rewindTo: target, $set: fields } = value;
  const messages = isObject(fields) ? fields.messages : value.messages;
  if (target !== undefined) chat.rewindTo(target);
  else if (Array.isArray(messages)) {
    if (chat.isEmpty) chat.list(messages, line);
    else chat.replace(messages, line);
  } else if (isFilledText(value.type)) chat.write(value, line);
}

// What a message says, calls and answers, whatever form it is written in.

function keyOf(message: JsonObject): string {
  return isFilledText(message.id) ? `${asText(message.type)} ${message.id}` : toJson(message);
}

function isTalk({ type }: JsonObject): boolean {
  return type === "user" || type === "gemini";
}

/** A list of parts may also be one part, or a plain text. */
export function partsOf(content: unknown): readonly JsonObject[] {
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part: unknown) => {
    if (typeof part === "string") return [{ text: part }];
    return isObject(part) ? [part] : [];
  });
}

/** True for what the model thought: Gemini's reasoning, which Anthropic did not sign. */
export function isThought(part: JsonObject): boolean {
  return part.thought === true;
}

function textOf(message: JsonObject): string {
  if (!isTalk(message)) return "";
  const said = partsOf(message.content).filter((part) => !isThought(part));
  return said
    .map(({ text }) => asText(text))
    .join("\n")
    .trim();
}

/** Ids of the calls that a message makes. */
function callsOf({ type, content, toolCalls }: JsonObject): readonly string[] {
  if (type !== "gemini") return [];
  const calls = [...partsOf(content).map(({ functionCall }) => functionCall), ...asArray(toolCalls)];
  return calls.flatMap((call) => (isObject(call) && isFilledText(call.id) ? [call.id] : []));
}

/** Ids of the calls that it gives results of. */
function answersOf({ type, content }: JsonObject): readonly string[] {
  if (type !== "user") return [];
  return partsOf(content).flatMap(({ functionResponse }) =>
    isObject(functionResponse) && isFilledText(functionResponse.id) ? [functionResponse.id] : [],
  );
}

function callKeys(message: JsonObject): readonly string[] {
  return [...callsOf(message).map((id) => `call ${id}`), ...answersOf(message).map((id) => `answer ${id}`)];
}
