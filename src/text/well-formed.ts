// Finds and mends lone surrogates: strings that no provider, file or database accepts as UTF-8.
// Looks at whole JSON values too, however deep, copying only what has to change.

/** False when `text` holds half a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** `text` with every lone surrogate replaced by U+FFFD; the same length in UTF-16 units. */
export function toWellFormed(text: string): string {
  return text.toWellFormed();
}

/** True when every string in a JSON value, keys included, is well-formed. */
export function isWellFormedValue(value: unknown): boolean {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string" && !isWellFormed(next)) return false;
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if (!Array.isArray(next) && !Object.keys(next).every(isWellFormed)) return false;
    for (const item of Object.values(next)) waiting.push(item);
  }
  return true;
}

/** A JSON value with all its strings well-formed. What needs no change is the same object. */
export function toWellFormedValue(value: unknown): unknown {
  return isWellFormedValue(value) ? value : mendValue(value);
}

/** Copies bottom up. A value that holds itself cannot be written as JSON; where it does, it stays as it is. */
function mendValue(value: unknown): unknown {
  if (typeof value === "string") return toWellFormed(value);
  const mended = new Map<unknown, unknown>();
  for (const container of containersInsideOut(value)) mended.set(container, mendContainer(container, mended));
  return mended.get(value) ?? value;
}

/** Every object and array in a value, each after those that it holds. */
function containersInsideOut(value: unknown): readonly object[] {
  const ordered: object[] = [];
  const seen = new Set<object>();
  const waiting: { readonly next: unknown; readonly isLeaving: boolean }[] = [{ next: value, isLeaving: false }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { next, isLeaving } = step;
    if (typeof next !== "object" || next === null) continue;
    if (isLeaving) ordered.push(next);
    if (isLeaving || seen.has(next)) continue;
    seen.add(next);
    waiting.push({ next, isLeaving: true });
    for (const item of Object.values(next)) waiting.push({ next: item, isLeaving: false });
  }
  return ordered;
}

function mendContainer(container: object, mended: ReadonlyMap<unknown, unknown>): unknown {
  let isChanged = false;
  const mend = (item: unknown): unknown => {
    const result = typeof item === "string" ? toWellFormed(item) : (mended.get(item) ?? item);
    if (result !== item) isChanged = true;
    return result;
  };
  if (Array.isArray(container)) {
    const items = container.map(mend);
    return isChanged ? items : container;
  }
  const entries = Object.entries(container).map(([key, item]) => [mend(key), mend(item)]);
  if (!isChanged) return container;
  // What is kept under a symbol is no text, but who made the object asks for it.
  const marks = Object.getOwnPropertySymbols(container).map((symbol) => [symbol, Reflect.get(container, symbol)]);
  return Object.fromEntries([...entries, ...marks]);
}
