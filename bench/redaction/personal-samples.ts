// Personal details of nobody, made by chance with right check digits, and what looks like them and is none.
import { DIGITS, LOWER, type Random, seededRandom, UPPER } from "./random.ts";

export interface PersonalSample {
  readonly kind: string;
  readonly text: string;
  readonly detail: string;
}

const FRAMES: readonly ((detail: string) => string)[] = [
  (detail) => `Please reach me at ${detail}, thanks.`,
  (detail) => `{"contact": "${detail}", "ok": true}`,
  (detail) => `2026-01-02 10:00:00 INFO request from ${detail} done`,
  (detail) => `customer;${detail};open`,
];

const KINDS: Readonly<Record<string, (random: Random) => string>> = {
  "e-mail": (random) => `${random.text(6, LOWER)}.${random.text(5, LOWER)}@${random.text(8, LOWER)}.de`,
  "e-mail with a tag": (random) => `${random.text(6, LOWER)}+shop@mail.${random.text(8, LOWER)}.co.uk`,
  "phone, international": (random) => `+49 30 ${random.text(4, DIGITS)} ${random.text(4, DIGITS)}`,
  "phone, three groups": (random) =>
    `(${random.text(3, "23456789")}) ${random.text(3, DIGITS)}-${random.text(4, DIGITS)}`,
  card: (random) => grouped(withLuhn(`4${random.text(14, DIGITS)}`), " "),
  "card, no blanks": (random) => withLuhn(`5${random.text(14, DIGITS)}`),
  IBAN: (random) => grouped(withMod97("DE", random.text(18, DIGITS)), " "),
  "IBAN, no blanks": (random) => withMod97("GB", random.text(4, UPPER) + random.text(14, DIGITS)),
  IPv4: (random) => `${81 + random.whole(60)}.${40 + random.whole(200)}.${random.whole(256)}.${random.whole(256)}`,
  IPv6: (random) => `2a02:${[1, 2, 3, 4, 5, 6, 7].map(() => random.text(4, "123456789abcdef")).join(":")}`,
};

export function personalSamples(seed: number): readonly PersonalSample[] {
  const random = seededRandom(seed);
  return Object.entries(KINDS).flatMap(([kind, make]) =>
    FRAMES.map((frame) => {
      const detail = make(random);
      return { kind, detail, text: frame(detail) };
    }),
  );
}

function grouped(text: string, between: string): string {
  return text.replace(/(.{4})(?=.)/g, `$1${between}`);
}

function withLuhn(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

function withMod97(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join("");
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${account}`;
}
