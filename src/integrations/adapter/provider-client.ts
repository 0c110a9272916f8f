// A provider's client whose requests go out compacted. All its calls, streams and loops end in `post`: that one is ours,
// and the resources are copies that call it. The client given is left as it is, and does the sending.
import type { CompactManager } from "../../conversation.ts";
import { CompactError } from "../../errors.ts";
import type { ListRequest } from "../../providers/list-requests.ts";
import { withoutMarks } from "../../providers/message-marks.ts";
import { isObject, type JsonObject, toJson, withoutUndefined } from "../../text/json-values.ts";
import { createHostPreflight, type HostPreflight, type SessionChoice } from "./host-preflight.ts";
import type { Translation } from "./translation.ts";

interface Wrapping {
  /** Fields of the client through which the requests are made. */
  readonly resources: readonly string[];
  /** By path: the body to send for a body; the same one when nothing is to be done. */
  readonly bodies: ReadonlyMap<string, ComposeBody>;
  /** Last touches, on the copies. */
  readonly finish?: (wrapped: object) => void;
}

interface SdkClient {
  post(path: string, options?: unknown): unknown;
  withOptions?(options: unknown): object;
}

/** Throws `InvalidInput` for what is no client. */
export function wrapClient<Client extends object>(client: Client, wrapping: Wrapping): Client {
  if (!isSdkClient(client)) throw notAClient();
  const { resources, bodies, finish } = wrapping;
  const copies = new Map<string | symbol, object>();
  const methods = new Map<unknown, unknown>();
  const ours: Readonly<Record<string | symbol, unknown>> = {
    post(path: string, options?: unknown) {
      const compose = bodies.get(path);
      // A promise of options is taken by all versions, so that what comes back is the client's own kind of promise.
      return client.post(path, compose === undefined ? options : Promise.resolve(options).then(withBody(compose)));
    },
    withOptions: (options: unknown) => wrapClient(client.withOptions?.(options) ?? {}, wrapping),
  };
  const wrapped = new Proxy(client, {
    get(target, name) {
      if (Object.hasOwn(ours, name)) return ours[name];
      const copy = copies.get(name);
      if (copy !== undefined) return copy;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function" || name === "constructor" || Object.hasOwn(target, name)) return value;
      // Private fields are on the client itself, not on what stands before it.
      if (!methods.has(value)) methods.set(value, value.bind(target));
      return methods.get(value);
    },
    set: (target, name, value) => Reflect.set(target, name, value),
  });
  for (const name of resources) {
    const resource: unknown = Reflect.get(client, name, client);
    if (isObject(resource)) copies.set(name, copyResource(resource, client, wrapped));
  }
  finish?.(wrapped);
  return wrapped;
}

function isSdkClient(client: object): client is SdkClient {
  return "post" in client && typeof client.post === "function";
}

function notAClient(): CompactError {
  return new CompactError("InvalidInput", "What was given is no client: it has no `post`.", {
    code: "NOT_A_CLIENT",
    hint: "Pass the client itself, such as new OpenAI() or new Anthropic().",
  });
}

// The options of one request, with another body. A promise of them is taken by all versions of the clients.

/** The body to send for a body; the same one when nothing is to be done. */
type ComposeBody = (body: JsonObject, signal: AbortSignal | undefined) => Promise<JsonObject>;

function withBody(compose: ComposeBody): (options: unknown) => Promise<unknown> {
  return async (options) => {
    if (!isObject(options) || !isObject(options.body)) return options;
    const signal = options.signal instanceof AbortSignal ? options.signal : undefined;
    try {
      const body = await compose(options.body, signal);
      return body === options.body ? options : { ...options, body };
    } catch (error) {
      // The client has an error of its own for calls that were called off.
      if (signal?.aborted === true) return options;
      throw error;
    }
  };
}

// A part of a provider's client (`chat`, `messages`) that makes its requests through another client than its own.

/** The resource and those below it, with the wrapped client in the place of its own. */
function copyResource(resource: object, client: object, wrapped: object): object {
  const copy = Object.create(Object.getPrototypeOf(resource), Object.getOwnPropertyDescriptors(resource));
  for (const [name, value] of Object.entries(copy)) {
    if (value === client) copy[name] = wrapped;
    else if (isObject(value) && value._client === client) copy[name] = copyResource(value, client, wrapped);
  }
  return copy;
}

/** A body whose list is no list of objects (a prompt in one string, say) is nothing to compact: it goes out as it is. */
export function composeWith(preflight: HostPreflight<JsonObject>, request: ListRequest): ComposeBody {
  return async (body, signal) => {
    const { [request.list]: messages, model, tools } = body;
    if (!Array.isArray(messages) || !messages.every(isObject) || request.isHeldElsewhere(body)) return body;
    const beside = {
      system: request.system === undefined ? undefined : (body[request.system] ?? undefined),
      tools: Array.isArray(tools) ? tools : undefined,
      model: typeof model === "string" ? model : undefined,
      signal,
    };
    const sent = await preflight(messages, withoutUndefined(beside));
    return sent === messages ? body : { ...body, [request.list]: sent };
  };
}

// The preflight of a provider's client, whose messages are native. Marks for the provider's cache are no content: a caller
// moves them along its list from call to call, which makes no other conversation of it, and they go out where it has them now.

export function createClientPreflight(
  manager: CompactManager,
  format: Translation<JsonObject>["format"],
  choice: SessionChoice = {},
): HostPreflight<JsonObject> {
  const translation = {
    format,
    toNative: (message: JsonObject) => [withoutMarks(message)],
    toHost: (native: JsonObject) => native,
  };
  const preflight = createHostPreflight(manager, translation, choice);
  return async (messages, beside) => alignWith(messages, await preflight(messages, beside));
}

// Puts the messages of the current list in the place of earlier objects that say the same, where a caller builds its list
// anew for each call: what is sent is what it holds now.

/** Marks do not count for being the same. The same array when each is from `current` already. Linear. */
function alignWith(current: readonly JsonObject[], sent: readonly JsonObject[]): readonly JsonObject[] {
  const places = new Map(current.map((message, at) => [message, at]));
  if (sent === current || sent.every((message) => places.has(message))) return sent;
  /** Places of the messages by what they say, in rising order. */
  const alike = new Map<string, number[]>();
  for (const [at, message] of current.entries()) {
    const text = toJson(withoutMarks(message));
    const group = alike.get(text) ?? [];
    group.push(at);
    alike.set(text, group);
  }
  let end = current.length;
  const aligned = sent.toReversed().map((message) => {
    const own = places.get(message);
    if (own !== undefined) {
      end = own;
      return message;
    }
    const candidates = alike.get(toJson(withoutMarks(message))) ?? [];
    while (candidates.length > 0 && (candidates.at(-1) ?? 0) >= end) candidates.pop();
    const at = candidates.pop();
    if (at === undefined) return message;
    end = at;
    return current[at] ?? message;
  });
  return aligned.reverse();
}
