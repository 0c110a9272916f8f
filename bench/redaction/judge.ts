// Whether a sample's secret is gone and the rest is there: no six characters in a row of the secret may be left.
import type { Redactor } from "../../src/redaction/redactor.ts";
import type { Sample } from "./carriers/carrier.ts";

const PIECE = 6;

/** How a transcript may hold a text: as it is, in a line of JSON, in JSON within JSON, as a field of parsed data. */
export const LEVELS: Readonly<Record<string, (text: string, redactor: Redactor) => string>> = {
  "as text": (text, redactor) => redactor.text(text),
  "in JSON": (text, redactor) => readBack(redactor.text(JSON.stringify({ content: text })), 1),
  "in JSON, 3 levels": (text, redactor) => readBack(redactor.text(nested(text, 3)), 3),
  "as data": (text, redactor) => redactor.json({ content: [{ type: "text", text }] }).content[0]?.text ?? "",
};

/** What is wrong; undefined when nothing is. */
export function faultOf(sample: Sample, redacted: string): string | undefined {
  const left = sample.secrets.find((secret) => piecesOf(secret, sample.text).some((piece) => redacted.includes(piece)));
  if (left !== undefined) return "left";
  const lost = sample.keeps.find((part) => !redacted.includes(part));
  return lost === undefined ? undefined : `took ${lost}`;
}

/** Without those that its surroundings have, too: a key that begins like its own name. */
function piecesOf(secret: string, text: string): readonly string[] {
  if (secret.length <= PIECE) return [secret];
  const around = text.split(secret).join("\0");
  const pieces = Array.from({ length: secret.length - PIECE + 1 }, (_, at) => secret.slice(at, at + PIECE));
  return pieces.filter((piece) => !around.includes(piece));
}

function nested(text: string, levels: number): string {
  let value = text;
  for (let level = 0; level < levels; level++) value = JSON.stringify({ content: value });
  return value;
}

function readBack(json: string, levels: number): string {
  let value = json;
  for (let level = 0; level < levels; level++) value = (JSON.parse(value) as { content: string }).content;
  return value;
}
