// Addresses with a scheme: URLs, and the cloud's own (`s3://...`). Found by their `://`, so a text without any
// costs one search of a string.
import type { Identifier } from "./identifier.ts";

const SCHEMES = new Set(
  "http https ws wss ftp ftps sftp ssh git file postgres postgresql mysql redis rediss mongodb amqp amqps kafka jdbc ldap smtp tcp udp docker oci".split(
    " ",
  ),
);
const CLOUD_SCHEMES = new Set("s3 s3a gs az abfs abfss wasb wasbs r2 hdfs azure b2".split(" "));
const LONGEST_SCHEME = 12;
/** Sticky. A password that was taken out is a part of its address. Full-width punctuation ends an address: Chinese and Japanese put no space behind it. */
const REST = /(?:<REDACTED>|[^\s"'`<>\\|^\u3000-\u303f\uff00-\uff65]){1,2000}/y;
const TRAILING = /[.,;:!?*_~'"]{1,20}$/;
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Addresses of `text` in order; one inside another belongs to it. */
export function findAddresses(text: string): readonly Identifier[] {
  const found: Identifier[] = [];
  for (let at = text.indexOf("://"); at >= 0; ) {
    const address = addressAround(text, at);
    if (address !== undefined) found.push(address);
    at = text.indexOf("://", address === undefined ? at + 3 : address.index + address.value.length);
  }
  return found;
}

function addressAround(text: string, at: number): Identifier | undefined {
  const start = schemeStart(text, at);
  const scheme = text.slice(start, at).toLowerCase();
  const isCloud = CLOUD_SCHEMES.has(scheme);
  if (!isCloud && !SCHEMES.has(scheme)) return undefined;
  REST.lastIndex = at + 3;
  const rest = trimAddress(REST.exec(text)?.[0] ?? "");
  if (rest === "") return undefined;
  return { form: isCloud ? "cloud" : "url", value: text.slice(start, at + 3) + rest, index: start };
}

function schemeStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < LONGEST_SCHEME && /[A-Za-z0-9]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** Without the sentence's punctuation, and without a bracket that was opened before the address. */
function trimAddress(rest: string): string {
  const open: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const character = rest.charAt(at);
    const opener = CLOSING[character];
    if (opener === undefined) {
      if (character === "(" || character === "[" || character === "{") open.push(character);
    } else if (open.pop() !== opener) return rest.slice(0, at).replace(TRAILING, "");
  }
  return rest.replace(TRAILING, "");
}
