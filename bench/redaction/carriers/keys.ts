// Blocks of private keys, whole and in what holds them.
import { BASE64, type Random } from "../random.ts";
import { type Carrier, carrier } from "./carrier.ts";

const KEY_KINDS = [
  "RSA PRIVATE KEY",
  "PRIVATE KEY",
  "EC PRIVATE KEY",
  "OPENSSH PRIVATE KEY",
  "PGP PRIVATE KEY BLOCK",
  "ENCRYPTED PRIVATE KEY",
];

export const KEYS: readonly Carrier[] = [
  ...KEY_KINDS.map((kind) =>
    carrier(
      "private key",
      kind,
      keyBody,
      (secret) => `${armour("BEGIN", kind)}\n${secret}\n${armour("END", kind)}\nnext`,
      "next",
    ),
  ),
  carrier(
    "private key",
    "numbered lines",
    keyBody,
    (secret) =>
      [armour("BEGIN", "RSA PRIVATE KEY"), ...secret.split("\n"), armour("END", "RSA PRIVATE KEY"), "next"]
        .map((line, at) => `${String(at + 1).padStart(6)}\u2192${line}`)
        .join("\n"),
    "next",
  ),
  carrier(
    "private key",
    "base64 of a file",
    keyBody,
    (secret) =>
      `tls.key: ${Buffer.from(`${armour("BEGIN", "RSA PRIVATE KEY")}\n${secret}\n`).toString("base64")}\ntype: tls`,
    "type: tls",
  ),
  carrier(
    "Google service account",
    "JSON",
    keyBody,
    (secret) =>
      JSON.stringify({
        type: "service_account",
        private_key_id: "0",
        private_key: `${armour("BEGIN", "PRIVATE KEY")}\n${secret}\n${armour("END", "PRIVATE KEY")}\n`,
        client_email: "a@b.iam",
      }),
    "service_account",
    "a@b.iam",
  ),
];

function armour(end: "BEGIN" | "END", kind: string): string {
  return `-----${end} ${kind}-----`;
}

function keyBody(random: Random): string {
  return [...Array.from({ length: 12 }, () => random.text(64, BASE64)), random.text(22, BASE64)].join("\n");
}
