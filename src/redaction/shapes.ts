// A secret that is known by its own shape, whatever stands around it: one row of a table a kind. Every quantifier is
// bounded and a shape is tried only where one of its keywords stands, so hostile text stays linear.
import { REDACTION_MARK } from "../text/quote.ts";

export interface ShapeRule {
  readonly id: string;
  /** For the reference page. */
  readonly what: string;
  /** Lower-case ASCII, found whatever the case; one must occur, and the shape is tried there. */
  readonly keywords: readonly string[];
  /** Flags `dy` or `diy`; group 1, where there is one, is the secret, else the whole match. */
  readonly pattern: RegExp;
  /** Characters before the keyword that belong to the match: it is tried from the first of them. */
  readonly behind?: RegExp;
  /** A second look where the shape alone is too wide. */
  readonly accepts?: ((secret: string) => boolean) | undefined;
}

/** A word starts here: no letter or digit before, or the tail of an escaped line break (`\n`). */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))`;

/**
 * A rule, or a token in short: id, what it is, keywords with blanks between them, the pattern, and a second look where it
 * needs one. A beginning that tells is found wherever it stands, in the middle of a word too; one that words end in, or
 * that base64 may hold by chance, stands behind `\b`.
 */
export type ShapeRow =
  | ShapeRule
  | readonly [id: string, what: string, keywords: string, pattern: string, accepts?: ShapeRule["accepts"]];

export function ruleOf(row: ShapeRow): ShapeRule {
  if (!Array.isArray(row)) return row as ShapeRule;
  const [id, what, keywords, pattern, accepts] = row;
  return {
    id,
    what,
    keywords: keywords.split(" "),
    pattern: new RegExp(pattern.replaceAll("\\b", START), "dy"),
    accepts,
  };
}

export function hasDigit(secret: string): boolean {
  return /\d/.test(secret);
}

export function hasLetterAndDigit(secret: string): boolean {
  return /[A-Za-z]/.test(secret) && /\d/.test(secret);
}

/** Not `${PASSWORD}`, `$PASSWORD`, `{password}`, `%s`, `<password>`, `***`: what stands for a secret. */
function isLiteral(secret: string): boolean {
  return !/^\$[A-Za-z_(]|\$\{|\{\{|^\{|^%|^<|^\[|^[*.x\u2022]{2,}$|^redacted$|\u2026|\.\.\.$/i.test(secret);
}

/** A blank, or a line break that is escaped inside a JSON string. */
const GAP = String.raw`(?:\s|\\{1,32}[nrt]){1,20}`;

const PEM_STARTS = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "];

/** The base64 that such a key begins with, made here so that no scanner takes this file for a leak. */
function encodedStart(kind: string): string {
  const start = `-----BEGIN ${kind}PRIVATE KEY`;
  return btoa(start.slice(0, start.length - (start.length % 3)));
}

/** Up to a flag of the same command. */
const TO = String.raw`\b[^\n|;]{0,200}?`;

/** What takes a password: for the reference page, keywords with `_` for a blank, and what stands before the password. */
const COMMANDS: readonly (readonly [what: string, keywords: string, before: string])[] = [
  ["`mysql -p…`", "mysql mariadb", `(?:mysql(?:dump|admin)?|mariadb)${TO} -p`],
  ["`sshpass -p …`", "sshpass", "sshpass -p ?"],
  ["`docker login -p …`", "docker_login podman_login", `(?:docker|podman) login${TO} -p `],
  ["`redis-cli -a …`", "redis-cli", `redis-cli${TO} -a `],
  ["`mongosh -p …`", "mongo", `mongo(?:sh|dump|restore|export|import)?${TO} -p `],
  ["`zip -P …`, `7z -p…`", "zip unzip 7z", `(?:(?:un)?zip${TO} -P ?|7za?${TO} -p)`],
  [
    "`htpasswd -b … user …`",
    "htpasswd",
    String.raw`htpasswd\b(?=[^\n|;]{0,40} -\w{0,8}b)[^\n|;>&]{0,200} (?=[^\s|;>&]{1,200}\s{0,4}(?:$|[\n|;>&"'\\]))`,
  ],
  ["`openssl … -k …`", "openssl", `openssl${TO} -k `],
  ["`net user name …`", "net_user", String.raw`net user [^\s/]{1,60} (?!\*)`],
  [
    "`sqlcmd -P …`, `bcp -P …`, `mosquitto_pub -P …`",
    "sqlcmd bcp mosquitto",
    `(?:sqlcmd|bcp|mosquitto_[ps]ub)${TO} -P ?`,
  ],
  ["`ldapsearch -w …`", "ldap", `ldap\\w{3,8}${TO} -w `],
];

/** Not a port of `-p 80:80`. */
function isPasswordOfCommand(secret: string): boolean {
  return isLiteral(secret) && !/^\d{1,5}:\d{1,5}$|^-/.test(secret);
}

/** Secrets that many share: tokens with a common form, credentials in addresses, headers, commands and files. */
export const COMMON_SHAPES: readonly ShapeRow[] = [
  // Tokens of a common form.
  ["jwt", "JSON web tokens", "eyj", "eyJ[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{0,4000}"],
  ["age-secret-key", "age keys", "age-secret-key-1", "AGE-SECRET-KEY-1[A-Z0-9]{40,80}"],
  {
    id: "jwk-private-part",
    what: "The private part of a JSON web key",
    keywords: ['"d'],
    pattern: /"d\\{0,32}"\s{0,4}:\s{0,4}\\{0,32}"([A-Za-z0-9_-]{40,700})\\{0,32}"/dy,
    accepts: hasLetterAndDigit,
  },
  {
    id: "password-hash",
    what: "Password hashes: bcrypt, crypt, Apache, Argon2, Django, SHA in htpasswd",
    keywords: ["$2", "$apr1$", "$1$", "$5$", "$6$", "$argon2", "pbkdf2_sha", "{sha}", "$y$"],
    pattern: new RegExp(
      "\\$2[abxy]?\\$\\d{2}\\$[./A-Za-z0-9]{53}|\\$apr1\\$[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}|" +
        "\\$[156]\\$(?:rounds=\\d{1,9}\\$)?[./A-Za-z0-9]{4,16}\\$[./A-Za-z0-9]{22,86}|\\{SHA\\}[A-Za-z0-9+/]{27}=|" +
        "\\$argon2(?:id|i|d)\\$v=\\d{1,3}\\$m=\\d{1,9},t=\\d{1,4},p=\\d{1,4}\\$[A-Za-z0-9+/]{8,100}\\$[A-Za-z0-9+/]{16,200}|" +
        "pbkdf2_sha(?:256|512|1)\\$\\d{1,8}\\$[A-Za-z0-9]{4,40}\\$[A-Za-z0-9+/]{20,100}={0,2}|" +
        "\\$y\\$[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{8,40}\\$[./A-Za-z0-9]{40,60}",
      "dy",
    ),
  },
  // Addresses.
  {
    id: "url-password",
    what: "Passwords in addresses and connection strings: `scheme://user:password@host`",
    keywords: ["://", ":\\"],
    pattern: /:\\{0,32}\/\\{0,32}\/[^\s:@/"'`<>\\]{0,100}:([^\s/"'`<>\\]{1,256})@/dy,
    accepts: isLiteral,
  },
  {
    id: "url-user-token",
    what: "Tokens as the user of an address: `https://token@host`",
    keywords: ["://"],
    pattern: /:\/\/([A-Za-z0-9_-]{20,255})@[A-Za-z0-9.-]{3,100}/dy,
    accepts: hasLetterAndDigit,
  },
  {
    id: "jdbc-oracle-password",
    what: "Passwords in Oracle's JDBC addresses: `jdbc:oracle:thin:user/password@host`",
    keywords: ["jdbc:oracle:"],
    pattern: /jdbc:oracle:[a-z0-9]{2,8}:[\w$#]{1,60}\/([^\s@/"'`<>\\]{1,128})@/diy,
    accepts: isLiteral,
  },
  // Headers.
  {
    id: "bearer-token",
    what: "Tokens after `Bearer`",
    keywords: ["bearer"],
    pattern: /(?<![A-Za-z0-9_])bearer[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,8000})/diy,
    accepts: hasDigit,
  },
  {
    id: "basic-credentials",
    what: "Credentials after `Basic`",
    keywords: ["basic"],
    pattern: /(?<![A-Za-z0-9_])basic[ \t]{1,4}([A-Za-z0-9+/]{12,1000}={0,2})(?![A-Za-z0-9+/=_-])/diy,
    accepts: (secret) => hasDigit(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret),
  },
  {
    id: "docker-config-auth",
    what: "`auth` in a Docker or container registry configuration",
    keywords: ['"auth'],
    pattern: /"auth\\{0,32}"\s{0,4}:\s{0,4}\\{0,32}"([A-Za-z0-9+/]{8,3000}={0,2})\\{0,32}"/dy,
    accepts: isEncodedCredentials,
  },
  // Commands.
  {
    id: "curl-user",
    what: "`curl -u user:password`",
    keywords: ["curl"],
    pattern:
      /(?<![A-Za-z0-9_])curl\b[^\n]{0,300}? (?:-u|--user|--proxy-user)[ =]{0,2}\\{0,32}["']?[^\s:"'$]{1,100}:([^\s"'\\]{1,200})/dy,
    accepts: isLiteral,
  },
  { id: "quoted-password-flag", what: "`-p'password'`", keywords: ["-p'"], pattern: /(?<=\s)-p'([^'\n]{1,200})'/dy },
  {
    id: "quoted-password-flag",
    what: '`-p"password"`',
    keywords: ['-p"', '-p\\"'],
    pattern: /(?<=\s)-p\\{0,32}"([^"\\\n$]{1,200})\\{0,32}"/dy,
  },
  ...COMMANDS.map(([what, keywords, flags]) => ({
    id: "login-command",
    what,
    keywords: keywords.split(" ").map((keyword) => keyword.replaceAll("_", " ")),
    pattern: new RegExp(`${START}(?:${flags})\\\\{0,32}["']?([^\\s"'\\\\|(/][^\\s"'\\\\]{2,200})`, "diy"),
    accepts: isPasswordOfCommand,
  })),
  {
    id: "piped-password",
    what: "Passwords that `echo` or `printf` hands to `chpasswd`, `sudo -S`, `--password-stdin` and their like",
    keywords: ["chpasswd", "passwd --stdin", "password-stdin", "password stdin", "sudo -s"],
    behind: /[^\n]/,
    pattern:
      /[^\n]{0,100}?(?:echo|printf)(?: -\w{1,3})? {1,2}\\{0,32}["']?(?:[\w.-]{1,32}:)?([^\s"'\\|:]{4,100})(?:\\{1,32}n)?\\{0,32}["']? {0,2}\|[^\n|]{0,80}(?:chpasswd|-?-?passw(?:or)?d[ -]-?-?stdin|sudo -S)/dy,
    accepts: isLiteral,
  },
  {
    id: "openssl-password",
    what: "`-passin pass:…` of OpenSSL",
    keywords: ["pass:"],
    pattern: /(?<=-(?:pass|passin|passout|k) {1,2}["']?)pass:([^\s"'\\]{1,200})/dy,
    accepts: isLiteral,
  },
  {
    id: "sql-password",
    what: "`IDENTIFIED BY '…'` of SQL",
    keywords: ["identified by '"],
    pattern: /identified by '([^'\\\n]{1,200})'/diy,
    accepts: isLiteral,
  },
  {
    id: "sql-password",
    what: '`IDENTIFIED BY "…"`',
    keywords: ['identified by "', 'identified by \\"'],
    pattern: /identified by \\{0,32}"([^"\\\n]{1,200})\\{0,32}"/diy,
    accepts: hasDigit,
  },
  {
    id: "secure-string",
    what: "`ConvertTo-SecureString '…'` of PowerShell",
    keywords: ["convertto-securestring"],
    pattern: /convertto-securestring(?: -string)? \\{0,32}["']([^"'\\$]{1,200})\\{0,32}["']/diy,
    accepts: isLiteral,
  },
  // Files.
  {
    id: "netrc-password",
    what: "Passwords in a .netrc",
    keywords: ["machine"],
    pattern: new RegExp(
      `machine${GAP}[^\\s\\\\]{1,200}${GAP}login${GAP}[^\\s\\\\]{1,200}${GAP}password${GAP}([^\\s\\\\"']{1,300})`,
      "dy",
    ),
    accepts: isLiteral,
  },
  {
    id: "pgpass-password",
    what: "Passwords in a .pgpass: `host:port:database:user:password`",
    keywords: [":5432:", ":5433:", ":6432:", ":*:"],
    behind: /[A-Za-z0-9.*-]/,
    pattern: /[A-Za-z0-9.*-]{1,100}:[\d*]{1,5}:[\w*-]{1,60}:[\w*-]{1,60}:([^\s:"'\\*][^\s:"'\\]{2,200})/dy,
    accepts: isLiteral,
  },
  {
    id: "npmrc-auth",
    what: "`_auth` in an .npmrc",
    keywords: ["_auth"],
    pattern: /_auth[ \t]{0,4}=[ \t]{0,4}"?([A-Za-z0-9+/]{8,3000}={0,2})/dy,
    accepts: isEncodedCredentials,
  },
  {
    id: "recovery-phrase",
    what: "Recovery phrases of wallets, after `mnemonic` or `seed phrase`",
    keywords: ["mnemonic", "seed phrase", "seed_phrase", "recovery phrase"],
    pattern:
      /(?:mnemonic|seed[ _]phrase|recovery phrase)\\{0,32}["']?[ \t]{0,4}(?:[:=]|is)[ \t]{0,4}\\{0,32}["']?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/diy,
  },
  {
    id: "kubeconfig-key",
    what: "`client-key-data` in a kubeconfig",
    keywords: ["client-key-data"],
    pattern: /client-key-data\\{0,32}"?\s{0,4}:\s{0,4}\\{0,32}"?([A-Za-z0-9+/=]{20,20000})/dy,
  },
  {
    id: "encoded-private-key",
    what: "A PEM private key in base64",
    keywords: ["ls0tls1crudjti"],
    pattern: new RegExp(`(?:${PEM_STARTS.map(encodedStart).join("|")})[A-Za-z0-9+/=]{0,20000}`, "dy"),
  },
  {
    id: "putty-key",
    what: "Keys of a .ppk file of PuTTY",
    keywords: ["private-lines:"],
    pattern: /Private-Lines: \d{1,3}(?:\r?\n|\\{1,32}n)((?:[A-Za-z0-9+/=]{4,64}(?:\r?\n|\\{1,32}n)?){1,100})/dy,
  },
];

/** Base64 of `user:password`. */
export function isEncodedCredentials(secret: string): boolean {
  try {
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,4000}$/.test(atob(secret));
  } catch {
    return false;
  }
}

// Rules only find spans of the original text; this file turns all of them into one replacement, so that no rule
// sees another rule's output and overlapping finds become one mark.

export const MARK = REDACTION_MARK;

/** Half-open range of UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where a secret and nothing else stands, and the id of the rule that says so. */
export interface Find extends Range {
  readonly rule: string;
}

/** `text` with each union of overlapping ranges replaced by the mark. The same string when there are none. */
export function replaceRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  const sorted = [...ranges].sort((left, right) => left.start - right.start || left.end - right.end);
  const pieces: string[] = [];
  let copied = 0;
  let reach = -1;
  for (const { start, end } of sorted) {
    if (start >= reach) {
      pieces.push(text.slice(copied, start), MARK);
      copied = end;
      reach = end;
    } else if (end > reach) {
      copied = end;
      reach = end;
    }
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

/** Moves both ends off the middle of a surrogate pair, and the start off that of an escape such as `\n`: no half is left. */
export function wholeCharacters<R extends Range>(text: string, range: R): R {
  const isInEscape = range.end - range.start > 1 && isInsideEscape(text, range.start);
  const start = isInsidePair(text, range.start) ? range.start - 1 : range.start + Number(isInEscape);
  const end = isInsidePair(text, range.end) ? range.end + 1 : range.end;
  return start === range.start && end === range.end ? range : { ...range, start, end };
}

function isInsideEscape(text: string, offset: number): boolean {
  if (!/[bfnrt]/.test(text.charAt(offset))) return false;
  let backslashes = 0;
  while (text[offset - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

function isInsidePair(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
