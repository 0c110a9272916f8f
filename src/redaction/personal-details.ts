// Personal details, found only when asked for: e-mail addresses, telephone numbers, payment cards, bank accounts and
// addresses of the internet. Shapes and check digits only; names and postal addresses are not covered.
import type { Find } from "./shapes.ts";

export interface PersonalRule {
  readonly id: string;
  readonly what: string;
  readonly pattern: RegExp;
  readonly accepts?: (found: string) => boolean;
}

export function createPersonalRules(): readonly PersonalRule[] {
  return [
    {
      id: "email",
      what: "E-mail addresses",
      pattern:
        /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){0,3}\.\p{L}{2,24}(?![\p{L}\d])/gu,
      accepts: isMailbox,
    },
    {
      // International with a plus, or three groups as in 555-123-4567: plain digits could be anything.
      id: "phone",
      what: "Telephone numbers: international with a plus, or in three groups",
      // A plus before a number stands in a diff, too: eight digits are the fewest that a country and a line take.
      pattern:
        /(?<![\w.+-])(?:(?:\+|00(?=[1-9]\d[ .-]))\d{1,3}(?:[ .()/-]{0,2}\d{1,4}){3,6}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-])/g,
      accepts: (found) => found.replace(/\D/g, "").length >= 8,
    },
    {
      id: "payment-card",
      what: "Payment cards, by their check digit",
      pattern: /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\w-])/g,
      accepts: isCard,
    },
    {
      id: "iban",
      what: "IBANs, by their check digits",
      pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/g,
      accepts: isIban,
    },
    {
      id: "ip-address",
      what: "Public IPv4 addresses",
      pattern: /(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g,
      accepts: isPublicV4,
    },
    {
      id: "ip-address",
      what: "Public IPv6 addresses",
      pattern: /(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}){1,6}(?![\w:])/g,
      accepts: isPublicV6,
    },
  ];
}

export function findPersonalDetails(text: string, rules: readonly PersonalRule[]): readonly Find[] {
  return rules.flatMap(({ id, pattern, accepts }) => {
    const finds: Find[] = [];
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (accepts?.(found) ?? true) finds.push({ rule: id, start: index, end: index + found.length });
    }
    return finds;
  });
}

/**
 * `user:password@db.firm.net` looks like a mailbox from the password on. Where the password goes by itself, its host
 * is nobody's address and stays.
 */
export function withoutHosts(text: string, personal: readonly Find[], secrets: readonly Find[]): readonly Find[] {
  const ends = secrets.filter(({ rule, end }) => rule === "url-password" && text[end] === "@").map(({ end }) => end);
  if (ends.length === 0) return personal;
  const signs = new Set(ends);
  return personal.filter(({ rule, start, end }) => {
    const sign = rule === "email" ? text.indexOf("@", start) : -1;
    return sign === -1 || sign >= end || !signs.has(sign);
  });
}

/** `git@github.com:` and `npm@10.x` look alike; addresses set aside for examples stay too, they are nobody's. */
function isMailbox(found: string): boolean {
  return (
    !/^(?:git|noreply|no-reply)@|@(?:example\.(?:com|org|net)|[\w.-]{1,200}\.(?:example|test|invalid|localhost))$/i.test(
      found,
    ) && !/\.(?:png|jpe?g|svg|gif|webp|css|jsx?|tsx?|mjs|py|md|json)$/i.test(found)
  );
}

function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, "");
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && !/^(\d)\1+$/.test(digits);
}

function isIban(found: string): boolean {
  const account = found.replaceAll(" ", "");
  if (account.length < 15 || account.length > 34) return false;
  let rest = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/**
 * Nobody's: this machine, private and link-local networks, masks, addresses for documentation, multicast. And what is
 * rather a version: four small numbers as in 1.2.3.4 or 10.0.1.5, of which the last two tell no network apart.
 */
function isPublicV4(found: string): boolean {
  const parts = found.split(".").map(Number);
  const [first = 0, second = 0, third = 0] = parts;
  if (parts.some((part) => part > 255) || /(?:^|\.)0\d/.test(found)) return false;
  if (parts.every((part) => part < 32)) return false;
  if (first === 0 || first === 10 || first === 127 || first >= 224) return false;
  if ((first === 172 && second >= 16 && second < 32) || (first === 192 && second === 168)) return false;
  if ((first === 169 && second === 254) || (first === 100 && second >= 64 && second < 128)) return false;
  const isForDocumentation =
    (first === 192 && second === 0) ||
    (first === 198 && (second === 51 || second === 18 || second === 19)) ||
    (first === 203 && second === 0 && third === 113);
  return !isForDocumentation;
}

/** Global unicast only (2000::/3), but not what is set aside for documentation. A time of day has no such start. */
function isPublicV6(found: string): boolean {
  const groups = found.split(":");
  const isWhole = found.includes("::") ? groups.length <= 8 && found.split("::").length === 2 : groups.length === 8;
  return isWhole && /^[23][0-9a-f]{3}:/i.test(found) && !/^2001:0?db8:/i.test(found);
}
