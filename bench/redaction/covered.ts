// What the redactor knows, as tables of the reference page: from the rules themselves, so that they cannot differ.

import { createShapeRules } from "../../src/redaction/find-secrets.ts";
import { createPersonalRules } from "../../src/redaction/personal-details.ts";

/** Rules that are code rather than rows of a table. */
const OTHER_RULES: Readonly<Record<string, string>> = {
  "named-value":
    "`name: value`, `name = value`, `name := value`, `name => value`, quoted or bare, in JSON at any depth of escaping, YAML, TOML, INI, code, connection strings",
  "environment-variable": "`NAME=value` in capitals: .env files, `export`, `docker -e`",
  "query-parameter": "`?access_token=…` and the like",
  "named-flag": "`--password …`, `-pw …`",
  "named-item": 'The next of a list: `["--password", "…"]`, `put("api_key", "…")`',
  "named-cell": "`| Password | … |`",
  "said-value":
    "`the password is …`, `Passwort lautet …`, `la contraseña es …`, `le mot de passe est …`, `a senha é …`, `пароль: …`, `密码是…`, `パスワードは…`, `비밀번호는 …`, `WITH PASSWORD '…'`",
  "named-element": "`<password>…</password>`",
  "named-pair": 'Lists of names and values: `{name: DB_PASSWORD, value: …}`, `key="ApiKey" value="…"`',
  authorization: "What follows `Authorization:`, after its scheme",
  "session-cookie": "Values of cookies that open a session, in `Cookie`, `Set-Cookie` and lists of them",
  "private-key":
    "Private keys in PEM armour (RSA, EC, DSA, OpenSSH, PGP, encrypted), also with line numbers or escapes",
  literal: "The caller's exact values (`literals`), also as JSON strings and addresses write them",
  "pattern-N": "The caller's patterns, by their place in the list",
};

const NOT_COVERED: readonly string[] = [
  "A secret in base64, hex, compressed or encrypted form, but for what the tables name: a base64 file with a password in it stays.",
  "A secret that is split over several messages, or over strings that code puts together. Text parts of one message that stand side by side are read as one.",
  "A letters-only value in code without quotes (`password = swordfish`), which is rather a variable's name; with quotes, in .env lines, in YAML or properties on a line of its own it goes.",
  "A secret without a name, a known shape or a carrier: a bare 40-character string in prose is as likely a hash.",
  "Under weak names (`token`, `secret`, `credentials`) a value of one word without digits.",
  'JSON values that are no strings: `"password": 12345` stays, since a mark there would break the JSON.',
  "Placeholders, references to vaults and variables, paths: they name a secret and are none.",
  "Pictures, and whatever a secret has been turned into: what a model infers from it, a hash made of it.",
  "A value that stands on another line than its name: YAML blocks (`password: |`), TOML in three quotes, JSON broken between key and value.",
  'In parsed data, a value below its name rather than beside it: `passwords: [...]`, `apiKey: {value: ...}`, the next item of a list (`["--password", "..."]`; as text it goes).',
  'A password of letters only in a sentence without quotes, one that stands before its name, or beside a user\'s name alone (`root/…`); PINs; what is named in a language that is not in the table, or as an argument (`setPassword("...")`) or as a default behind `||`.',
  "A key with a short beginning (`key-`, `re_`, `r8_` and their like) in the middle of a word.",
  "Names and postal addresses, with `pii` as without.",
];

export function coveredTables(): string {
  const shapes = new Map<string, string[]>();
  for (const { id, what } of [...createShapeRules(), ...createPersonalRules()]) {
    shapes.set(id, [...(shapes.get(id) ?? []), what]);
  }
  const rows = [...Object.entries(OTHER_RULES), ...[...shapes].map(([id, list]) => [id, list.join("; ")] as const)];
  return `| rule | what goes |\n|---|---|\n${rows.map(([id, what]) => `| \`${id}\` | ${what.replaceAll("|", "\\|")} |`).join("\n")}

## What is not covered

${NOT_COVERED.map((line) => `- ${line}`).join("\n")}`;
}
