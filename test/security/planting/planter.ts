// Hands out secrets of every kind, one of its own for each place where one is planted, and finds them again in whatever
// came out: also their beginnings, middles and ends, so that a value of which a piece was left is a leak.
import { createDraw } from "./draw.ts";
import { SECRET_KINDS, type SecretKind } from "./secret-kinds.ts";

/** Gives a text that holds a secret of its own. `field` says where it is planted. */
export type Plant = (field: string) => string;

export interface Planter {
  readonly kinds: readonly SecretKind[];
  plantOf(kind: SecretKind): Plant;
  /** How many were planted. */
  readonly planted: number;
  /** `kind in field` of every secret that can be seen in the text, each once. */
  leaksIn(text: string): readonly string[];
}

/** Characters of a secret that tell it from all others. */
const PIECE = 12;

export function createPlanter(seed: number, kinds: readonly SecretKind[] = SECRET_KINDS): Planter {
  const draw = createDraw(seed);
  const places = new Map<string, string>();
  let planted = 0;
  return {
    kinds,
    get planted() {
      return planted;
    },
    plantOf: (kind) => (field) => {
      const { text, secrets } = kind.make(draw);
      planted++;
      for (const secret of secrets) for (const piece of piecesOf(secret)) places.set(piece, `${kind.id} in ${field}`);
      return text;
    },
    leaksIn(text) {
      const found = new Set<string>();
      for (let start = 0; start + PIECE <= text.length; start++) {
        const place = places.get(text.slice(start, start + PIECE));
        if (place !== undefined) found.add(place);
      }
      return [...found].sort();
    },
  };
}

function piecesOf(secret: string): readonly string[] {
  if (secret.length < PIECE) throw new Error(`a secret of ${secret.length} characters cannot be told from other text`);
  const middle = Math.floor((secret.length - PIECE) / 2);
  return [secret.slice(0, PIECE), secret.slice(middle, middle + PIECE), secret.slice(-PIECE)];
}
