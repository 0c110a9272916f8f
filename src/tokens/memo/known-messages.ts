// Remembers the tokens of whole messages by their identity, so that a list that grew by one message costs a glance at
// each old one: it is not even read into a view. A message that was changed in place has another size.

export interface KnownMessages {
  /** Tokens of this very message; undefined when it is new or was changed. */
  get(message: unknown): number | undefined;
  set(message: unknown, tokens: number): void;
}

interface Known {
  readonly size: number;
  readonly tokens: number;
}

export function createKnownMessages(): KnownMessages {
  const known = new WeakMap<object, Known>();
  return {
    get(message) {
      if (typeof message !== "object" || message === null) return undefined;
      const found = known.get(message);
      return found !== undefined && found.size === sizeOf(message) ? found.tokens : undefined;
    },
    set(message, tokens) {
      if (typeof message === "object" && message !== null) known.set(message, { size: sizeOf(message), tokens });
    },
  };
}

/** Values looked at in one message; a larger one, or one that holds itself, is counted anew each time. */
const MOST_VALUES = 5_000;

/** Grows with every string and field; NaN, equal to nothing, where that would take too long to tell. */
function sizeOf(message: object): number {
  let values = 0;

  function add(value: unknown): number {
    if (++values > MOST_VALUES) return Number.NaN;
    if (typeof value === "string") return value.length + 1;
    if (typeof value === "number") return value;
    if (typeof value !== "object" || value === null) return value === true ? 2 : 1;
    let size = 1;
    for (const key in value) {
      size += key.length + add((value as Record<string, unknown>)[key]);
      if (Number.isNaN(size)) break;
    }
    return size;
  }

  return add(message);
}
