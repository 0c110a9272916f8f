// The contract of what carries a secret: a text as it stands in a transcript, with the part that has to go and those that
// have to stay.
import { LOWER, type Random } from "../random.ts";

export interface Sample {
  readonly kind: string;
  readonly surroundings: string;
  readonly text: string;
  /** What may not be left, nor any six characters of it in a row. */
  readonly secrets: readonly string[];
  /** What has to stay. */
  readonly keeps: readonly string[];
}

export interface Carrier {
  readonly kind: string;
  readonly surroundings: string;
  readonly make: (random: Random) => {
    text: string;
    secret: string | readonly string[];
    keeps: string | readonly string[];
  };
}

export const password = (random: Random) => `${random.text(5, LOWER)}${random.text(9)}`;

export const basic = (random: Random) => Buffer.from(`deploy:${random.text(14)}`).toString("base64");

export function carrier(
  kind: string,
  surroundings: string,
  secretOf: (random: Random) => string,
  textOf: (secret: string, random: Random) => string,
  ...keeps: readonly string[]
): Carrier {
  return {
    kind,
    surroundings,
    make: (random) => {
      const secret = secretOf(random);
      return { text: textOf(secret, random), secret, keeps };
    },
  };
}
