// A provider's client whose requests go out compacted. All its calls, streams and loops end in `post`: that one is ours,
// and the resources are copies that call it. The client given is left as it is, and does the sending.
import { CompactError } from "../../errors.ts";
import { isObject } from "../../formats/json-shape.ts";
import { type ComposeBody, withBody } from "./compose-body.ts";
import { copyResource } from "./copy-resource.ts";

export interface Wrapping {
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
