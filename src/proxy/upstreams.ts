// Which provider a request goes to: by the beginning of its path, by its model, or to the one for all else.
import { matchingModels } from "../config/limits.ts";
import type { Target } from "./forward.ts";

export interface Upstream {
  /** The provider's address. What stands behind `path` in a request's own path stands behind the address's. */
  readonly url: URL;
  /** `/openai`: of requests whose path begins so. */
  readonly path?: string | undefined;
  /** A name, or the beginning of one and `*`: of conversations with such a model. */
  readonly model?: string | undefined;
}

/** `url`: of the request, as it is spelt. The first that fits; undefined where none does. */
export function targetOf(upstreams: readonly Upstream[], url: string, model?: string): Target | undefined {
  const found = upstreams.find(
    (each) => isBelow(url, each.path) && (each.model === undefined || isOfModel(each.model, model)),
  );
  if (found === undefined) return undefined;
  const own = found.path === undefined ? url : url.slice(trimmed(found.path).length);
  const path = `${trimmed(found.url.pathname)}${own.startsWith("/") ? own : `/${own}`}`;
  return { base: found.url, path };
}

function isBelow(url: string, path: string | undefined): boolean {
  if (path === undefined) return true;
  const start = trimmed(path);
  return url.startsWith(start) && ["", "/", "?"].includes(url.charAt(start.length));
}

function isOfModel(pattern: string, model: string | undefined): boolean {
  return matchingModels({ [pattern]: {} }, model).length > 0;
}

function trimmed(path: string): string {
  return path.replace(/\/$/, "");
}
