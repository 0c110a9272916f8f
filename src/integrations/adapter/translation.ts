// How a host framework's messages are read as a provider's, and what compaction made of them read back. A message that
// compaction kept is the host's own object again; only what is new or changed is made anew.
import { CompactError } from "../../errors.ts";
import { carryMarks, isProtectedMessage, markProtected, withoutField } from "../../providers/message-marks.ts";
import { isObject, type JsonObject } from "../../text/json-values.ts";

/** Where a made or changed native message comes from. */
export interface NativeSource<Host> {
  /** The host's message that a changed one was made from; undefined for the summary and for what healing added. */
  readonly origin: Host | undefined;
  /** The name that a call in this list gave its tool. */
  readonly toolName: (callId: string) => string | undefined;
}

export interface Translation<Host extends object> {
  /** The native format, by its name. */
  readonly format: "openai-chat" | "openai-responses" | "anthropic";
  /**
   * One host message as native ones, in order. Plain text must give exactly `{role, content}`: so a
   * summary that the host stored and sends again is recognised. What the format has no place for goes into the
   * message as an unknown part or field, where it is counted.
   */
  toNative(message: Host): readonly JsonObject[];
  /** A host message for one native message that is new or changed. */
  toHost(native: JsonObject, source: NativeSource<Host>): Host;
}

interface Translator<Host extends object> {
  readonly format: Translation<Host>["format"];
  toNative(messages: readonly Host[]): readonly JsonObject[];
  /** What a conversation is known by: its messages as they were first, whatever the host changed in them since. */
  firstNatives(messages: readonly Host[]): readonly JsonObject[];
  toHost(natives: readonly unknown[]): readonly Host[];
}

/** Survives the copies that compaction makes of a message, is never serialised, and no provider sees it. */
const ORIGIN = Symbol("origin");

interface Origin<Host> {
  readonly message: Host;
  /** All native messages made of it, this one among them. */
  readonly natives: readonly JsonObject[];
}

/** What a message was translated to, and what it said then: one that its host changed since is translated again. */
interface Known {
  readonly natives: readonly JsonObject[];
  /** As it was translated first. */
  readonly first: readonly JsonObject[];
  readonly snapshot: unknown;
  readonly isProtected: boolean;
}

function notAMessage(at: number): CompactError {
  return new CompactError("InvalidInput", `Message ${at + 1} of the list is no object.`, {
    code: "NOT_A_MESSAGE",
    hint: "Give a list of messages as the host has them.",
  });
}

export function createTranslator<Host extends object>(translation: Translation<Host>): Translator<Host> {
  const known = new WeakMap<Host, Known>();
  const made = new WeakMap<object, Host>();
  const sendable = new WeakMap<Host, Host>();

  const nativesOf = (message: Host, at: number): readonly JsonObject[] => {
    if (!isObject(message)) throw notAMessage(at);
    const before = known.get(message);
    const isProtected = isProtectedMessage(message);
    if (before?.isProtected === isProtected && isAsBefore(message, before.snapshot)) return before.natives;
    const natives: JsonObject[] = [];
    for (const native of translation.toNative(message)) {
      const marked = carryMarks(message, { ...native, [ORIGIN]: { message, natives } });
      natives.push(isProtected ? markProtected(marked) : marked);
    }
    known.set(message, { natives, first: before?.first ?? natives, snapshot: snapshotOf(message), isProtected });
    sendable.delete(message);
    return natives;
  };

  const makeHost = (native: JsonObject, toolName: NativeSource<Host>["toolName"]): Host => {
    const before = made.get(native);
    if (before !== undefined) return before;
    const host = translation.toHost(native, { origin: originOf<Host>(native)?.message, toolName });
    made.set(native, host);
    return host;
  };

  /** `meta` is ours: a provider would refuse it. */
  const withoutMeta = (message: Host): Host => {
    if (!("meta" in message)) return message;
    const before = sendable.get(message);
    if (before !== undefined) return before;
    const sent = withoutField(message as JsonObject, "meta") as unknown as Host;
    sendable.set(message, sent);
    return sent;
  };

  return {
    format: translation.format,
    toNative: (messages) => messages.flatMap(nativesOf),
    firstNatives: (messages) => messages.flatMap((message, at) => known.get(message)?.first ?? nativesOf(message, at)),
    toHost(natives) {
      const list = natives.filter(isObject);
      const toolName = namesIn(list);
      const hosts: Host[] = [];
      for (let at = 0; at < list.length; ) {
        const native = list[at] as JsonObject;
        const origin = originOf<Host>(native);
        const isWhole = origin?.natives.every((each, offset) => each === list[at + offset]) === true;
        hosts.push(isWhole && origin !== undefined ? withoutMeta(origin.message) : makeHost(native, toolName));
        at += isWhole && origin !== undefined ? origin.natives.length : 1;
      }
      return hosts;
    },
  };
}

function originOf<Host>(native: JsonObject): Origin<Host> | undefined {
  return (native as { readonly [ORIGIN]?: Origin<Host> })[ORIGIN];
}

/** Calls of OpenAI chat, the only format whose results do not say in the host's terms what tool they are of. */
function namesIn(natives: readonly JsonObject[]): (callId: string) => string | undefined {
  let names: Map<unknown, string> | undefined;
  return (callId) => {
    names ??= new Map(
      natives.flatMap(({ tool_calls: calls }) =>
        (Array.isArray(calls) ? calls : []).map((call): [unknown, string] => [call.id, call.function?.name ?? ""]),
      ),
    );
    return names.get(callId);
  };
}

/** For clients whose messages are the provider's own. */
export function nativeTranslation(format: Translation<JsonObject>["format"]): Translation<JsonObject> {
  return { format, toNative: (message) => [message], toHost: (native) => native };
}

// Whether a message still says what it said when it was looked at: hosts change messages in place, too. Texts are shared
// by copy and message, so that comparing long ones costs nothing as long as nobody replaced them.

/** Deeper in a message, and in objects of a class, only a new object is a change. */
const DEPTH = 12;

export function snapshotOf(value: unknown, depth = DEPTH): unknown {
  if (Array.isArray(value)) return depth === 0 ? value : value.map((item: unknown) => snapshotOf(item, depth - 1));
  if (!isOpen(value, depth)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, snapshotOf(field, depth - 1)]));
}

export function isAsBefore(value: unknown, snapshot: unknown, depth = DEPTH): boolean {
  if (Object.is(value, snapshot)) return true;
  if (Array.isArray(value)) {
    if (!Array.isArray(snapshot) || depth === 0 || value.length !== snapshot.length) return false;
    return value.every((item, at) => isAsBefore(item, snapshot[at], depth - 1));
  }
  if (!isOpen(value, depth) || !isObject(snapshot)) return false;
  const fields = Object.entries(value);
  if (fields.length !== Object.keys(snapshot).length) return false;
  return fields.every(([key, field]) => Object.hasOwn(snapshot, key) && isAsBefore(field, snapshot[key], depth - 1));
}

/** The message itself may be of a class. */
function isOpen(value: unknown, depth: number): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || depth === 0) return false;
  if (depth === DEPTH) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
