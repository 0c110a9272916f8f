// Which names say "what follows is a secret". The secret word must be the name's last word: `api_key`,
// `dbPassword`, `AWS_SECRET_ACCESS_KEY`, not `max_tokens`, `tokenizer`, `secretName`, `jsonwebtoken`.

/**
 * "strong": any literal under it is a secret. "weak": only a value that looks like one. "long": only a long one that
 * does; browsers' code calls the names of its settings storage keys.
 */
export type NameStrength = "strong" | "weak" | "long" | "none";

const STRONG = new RegExp(
  "(?:^|_)(?:" +
    "[a-z]{0,12}passwo?r?d|passphrase|passcode|[a-z]{0,8}pwd|authorization|" +
    "(?:x_)?(?:api|access|secret|private|signing|encryption|account|auth|master|subscription|license|service)_?key|" +
    "(?:access|refresh|auth|bearer|api|session|secret|bot|deploy|oauth|id|security)_?token|" +
    // A pass is a run over something, too: of a compiler, of a test.
    "(?:db|database|user|smtp|e?mail|imap|ftp|ssh|root|admin|sudo|become|redis|pg|postgres|mysql|mongo|rabbitmq|amqp|" +
    "proxy|http|basic|auth|login|git|registry|docker|vpn|wifi)_pass|" +
    "(?:[a-z0-9]{1,20}_|client|app|jwt)secret" +
    ")$",
);
const WEAK =
  /(?:^|_)(?:token|secret|credentials?|pass|(?:app|application|role|admin|shared|hmac|aes|deploy|webhook|consumer)_?key)$/;
const LONG = /(?:^|_)storage_?key$/;
/** Words after the secret word that do not change what it is. */
const TAIL =
  /(?:_(?:value|plain|plaintext|raw|str|base64|b64|prod|production|dev|test|staging|live|old|new|current|default|base))$/;

export function strengthOf(name: string): NameStrength {
  if (name.length > 100) return "none";
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-. $]+/g, "_")
    .toLowerCase()
    .replace(/_{2,9}/g, "_")
    .replace(/_?\d{1,4}$/, "")
    .replace(TAIL, "");
  if (STRONG.test(words)) return "strong";
  if (WEAK.test(words)) return "weak";
  return LONG.test(words) ? "long" : "none";
}
