// A model that writes summaries where a conversation itself goes: at the same provider, with what its client proves itself by.
// That is held as long as the request and what it started run, and kept nowhere.
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { createAnthropicModel } from "../models/anthropic-model.ts";
import { modelFailure } from "../models/failures.ts";
import type { Model } from "../models/model.ts";
import { createOpenaiCompatibleModel } from "../models/openai-compatible-model.ts";
import type { ProviderFormat } from "../providers/format.ts";
import type { Target } from "./forward.ts";

export interface Caller {
  readonly format: ProviderFormat;
  readonly target: Target;
  readonly headers: IncomingHttpHeaders;
}

const callers = new AsyncLocalStorage<Caller>();

/** Whatever `work` asks of an upstream model, also later and in the background, is asked in this client's name. */
export function inNameOf<Result>(caller: Caller, work: () => Result): Result {
  return callers.run(caller, work);
}

/** `name`: as the provider calls it. Fails as `MODEL_REJECTED` outside of a request. */
export function upstreamModel(name: string): Model {
  return {
    name,
    complete: (request) => {
      const caller = callers.getStore();
      if (caller === undefined) throw modelFailure("MODEL_REJECTED", "no request is there to ask in the name of");
      const { format, target, headers } = caller;
      const [path = ""] = target.path.split("?", 1);
      const baseUrl = `${target.base.origin}${path.replace(/\/(?:messages|chat\/completions|responses)$/, "")}`;
      const create = format === "anthropic" ? createAnthropicModel : createOpenaiCompatibleModel;
      return create({ model: name, baseUrl, headers: proofOf(headers) }).complete(request);
    },
  };
}

const PROOFS = [
  ...["authorization", "x-api-key", "api-key", "anthropic-version", "anthropic-beta"],
  ...["openai-organization", "openai-project"],
];

function proofOf(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const found = PROOFS.map((name) => [name, headers[name]]).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(found);
}
