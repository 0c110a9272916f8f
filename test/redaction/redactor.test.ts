// Two tables of equal weight: what must go, and what must stay to the byte. All secrets here are made up.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that must stay as it is.
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { verifies } from "../requirements/verifies.ts";

const redactor = createRedactor();
const M = "<REDACTED>";
// Put together at run time, so that no scanner takes this file for a leak.
const join = (...parts: readonly string[]): string => parts.join("");
const GITHUB = join("ghp", "_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
const AWS = join("AKIA", "QWERTYUIOP123456");
const ANTHROPIC = join("sk-", "ant-", "api03-AbCdEf123456-xyz");
const OPENAI = join("sk-", "proj-", "AbCdEf1234567890AbCdEf");
const JWT = join("eyJ", "hbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0In0", ".", "c2lnbmF0dXJl-abc_1");
const SLACK = join("xox", "b-", "123456789012-abcdefABCDEF");
const BODY = Array.from({ length: 20 }, () => "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj").join("\n");
const BEGIN = join("-----BEGIN RSA ", "PRIVATE KEY-----");
const END = join("-----END RSA ", "PRIVATE KEY-----");

const GOES: readonly (readonly [string, string])[] = [
  ["api_key=sk-abc123", `api_key=${M}`],
  ["password: hunter2", `password: ${M}`],
  ["Password = hunter2.", `Password = ${M}.`],
  ['"password": "hunter2"', `"password": "${M}"`],
  ['{"password": "hunter2", "port": 5432}', `{"password": "${M}", "port": 5432}`],
  [`'secret': 'abc123def'`, `'secret': '${M}'`],
  [String.raw`{"arguments":"{\"api_key\": \"sk-demo-1\"}"}`, String.raw`{"arguments":"{\"api_key\": \"<REDACTED>\"}"}`],
  [String.raw`"{\"password\": \"a\\\"b c\", \"n\": 1}"`, String.raw`"{\"password\": \"<REDACTED>\", \"n\": 1}"`],
  [String.raw`"\npassword=hunter2\nnext"`, String.raw`"\npassword=<REDACTED>\nnext"`],
  ['API_KEY="a,b;c d"', `API_KEY="${M}"`],
  ['password="two words"', `password="${M}"`],
  [`password='it"s fine'`, `password='${M}'`],
  ["Authorization: Bearer abcdefghij", `Authorization: Bearer ${M}`],
  ['"Authorization": "Bearer abcdefghij"', `"Authorization": "Bearer ${M}"`],
  ["-H 'authorization: Basic dXNlcjpwYXNz'", `-H 'authorization: Basic ${M}'`],
  ["X-Api-Key: 8f7d6a5b", `X-Api-Key: ${M}`],
  ["sent Bearer abcdEFGH12345678 upstream", `sent Bearer ${M} upstream`],
  ["https://user:pass@host/path", `https://user:${M}@host/path`],
  ["git clone https://bot:t0k@host/r.git", `git clone https://bot:${M}@host/r.git`],
  ["postgres://app:s3cr3t@db.local:5432/app", `postgres://app:${M}@db.local:5432/app`],
  ["redis://:pw@cache:6379", `redis://:${M}@cache:6379`],
  ["Server=db;User Id=sa;Password=Pa55word;Encrypt=true", `Server=db;User Id=sa;Password=${M};Encrypt=true`],
  ["AccountName=x;AccountKey=abc123+/def==;EndpointSuffix=y", `AccountName=x;AccountKey=${M};EndpointSuffix=y`],
  ["GET /cb?access_token=abc123&state=5", `GET /cb?access_token=${M}&state=5`],
  ["GET /cb?api_key=abcdefgh&x=1", `GET /cb?api_key=${M}&x=1`],
  ["AWS_SECRET_ACCESS_KEY=wJalr/XUtn+FEMI", `AWS_SECRET_ACCESS_KEY=${M}`],
  ["export FOO_TOKEN=abc123def456", `export FOO_TOKEN=${M}`],
  ["DB_PASSWORD=a,b;c", `DB_PASSWORD=${M}`],
  ["DB_PASS=swordfish", `DB_PASS=${M}`],
  ["db:\n  password: swordfish\n  port: 1", `db:\n  password: ${M}\n  port: 1`],
  ["mysql -u root -p'hunter 2' app", `mysql -u root -p'${M}' app`],
  ["login --password hunter2 --user x", `login --password ${M} --user x`],
  ["login --api-key=abc123", `login --api-key=${M}`],
  ["curl -s -u admin:hunter2 https://x.example", `curl -s -u admin:${M} https://x.example`],
  ["<password>hunter2</password>", `<password>${M}</password>`],
  ['const password: string = "hunter2";', `const password: string = "${M}";`],
  ['client_secret := "abcdef"', `client_secret := "${M}"`],
  [':password => "hunter2"', `:password => "${M}"`],
  ['connect(user="x", password="hunter2")', `connect(user="x", password="${M}")`],
  ["connect(password=hunter2, timeout=3)", `connect(password=${M}, timeout=3)`],
  ['auth: { user: "a", pass: "hunter2xyz" }', `auth: { user: "a", pass: "${M}" }`],
  ["  password: QUFHTFFDUnNtRDJSMVFWdkxv\n  n: 1", `  password: ${M}\n  n: 1`],
  ["mysql://root:p@ss@localhost/app", `mysql://root:${M}@localhost/app`],
  ["Server=db;Uid=sa;Pwd=swordfish;Database=y", `Server=db;Uid=sa;Pwd=${M};Database=y`],
  ["Cookie: theme=dark; sessionid=abc123def456; lang=en", `Cookie: theme=dark; sessionid=${M}; lang=en`],
  ["- name: DB_PASSWORD\n  value: hunter2", `- name: DB_PASSWORD\n  value: ${M}`],
  ["password: Hunter2!", `password: ${M}`],
  ["password=hun)ter2", `password=${M}`],
  ["(password=hunter2).then", `(password=${M}).then`],
  ["password\uff1ahunter2", `password\uff1a${M}`],
  ["secret_key_base: 3f2a9bcd12", `secret_key_base: ${M}`],
  ["-e POSTGRES_PASSWORD=postgres img", `-e POSTGRES_PASSWORD=${M} img`],
  ['const apiKey = "sk-live-demo";', `const apiKey = "${M}";`],
  ["`token`: `abcd1234efgh`", `\`token\`: \`${M}\``],
  [`key ${GITHUB} end`, `key ${M} end`],
  [`${AWS}, ${ANTHROPIC}`, `${M}, ${M}`],
  [`(${OPENAI})`, `(${M})`],
  [`cookie=${JWT};`, `cookie=${M};`],
  [`hook ${SLACK}`, `hook ${M}`],
  [join("AIza", "SyA1234567890abcdefghijklmnopqrstuv"), M],
  [join("glpat", "-", "abcdefghij1234567890"), M],
  [join("npm", "_", "abcdefghij1234567890abcdefghij123456"), M],
  [join("hf", "_", "abcdefghijABCDEFGHIJ1234567890abcd"), M],
  [join("SG", ".", "abcdefghijklmnop1234", ".", "abcdefghijklmnop1234567890"), M],
  [join("sk", "_live_", "abcdefghij1234567890"), M],
  [join("github", "_pat_", "11ABCDEFG0abcdefghijkl_mnopqrst"), M],
  [`${BEGIN}\n${BODY}\n${END}\nafter`, `${BEGIN}${M}${END}\nafter`],
  [`"${BEGIN}\\n${BODY.replaceAll("\n", "\\n")}\\n${END}\\n"`, `"${BEGIN}${M}${END}\\n"`],
  [`  1\u2192${BEGIN}\n  2\u2192${BODY.slice(0, 40)}\n  3\u2192abcd=\n  4\u2192${END}`, `  1\u2192${BEGIN}${M}${END}`],
  [`${BEGIN}\n${BODY}\ncut off here`, `${BEGIN}${M}\ncut off here`],
];

const STAYS: readonly string[] = [
  "apiKey: loadKey(env)",
  "password = getPassword()",
  "max_tokens: 500",
  "max_tokens: 4096,",
  '"max_tokens": 4096',
  "token_count=5",
  "total_tokens: 1,234",
  "const tokenizer = new Tokenizer()",
  "secretName: my-secret-ref",
  "secret: my-secret-ref",
  "password: string",
  "password: string;",
  "password?: string | undefined",
  "password: str",
  "password: str = None",
  "api_key: SecretStr",
  "api_key: ${API_KEY}",
  "api_key=$API_KEY",
  "token: ${{ secrets.DEPLOY_TOKEN }}",
  "secrets.DEPLOY_TOKEN",
  "api_key = process.env.X",
  'api_key = os.environ["K"]',
  'api_key = os.getenv("API_KEY")',
  'os.environ["API_KEY"]',
  'api_key="OPENAI_API_KEY"',
  "api_key=<your-key>",
  'api_key="your-api-key-here"',
  "password=",
  'password=""',
  '"password": ""',
  '"password": null',
  '"password": 12345',
  "password: credentials?.password, next",
  "password: form?.password,",
  "headers.Authorization = 'token ' + opts.token\n  }\n  const next = 'x';",
  "const { authorization: _authorization, headers } = request;",
  "authorization: boolean;",
  "readonly STENCIL_PASS_DEPTH_PASS: 0x0B96;",
  "protected secret: Uint8Array;",
  'const CHANGE_PASSWORD = "change_password";',
  'const LOCAL_STORAGE_KEY = "inspectorConfig_v1";',
  'refreshToken: "STRING_VALUE",',
  '"pbkdf2-password": "1.2.1"',
  "apiKey: this.#apiKey,",
  "lastToken = separateTrailingSemicolonAndSpace",
  "const TOKEN_TYPE = 'urn:oauth:token-type:x509'",
  "docker run --name mysql -p3306:3306 mysql:8",
  "Cookie: theme=dark; lang=en; tz=Europe/Berlin",
  "Set-Cookie: sessionid=${session}; Path=/; HttpOnly",
  "2001:db8:*:*:*:*:*:*",
  'const token = req.headers.get("x")',
  "token = None",
  "connect(user=user, password=password)",
  "api_key=api_key,",
  "api_key=settings.API_KEY",
  "api_key=self.api_key",
  "const { password, token } = body;",
  'if (password === "") return;',
  "if token == expected:",
  "password != other",
  '"jsonwebtoken": "^9.0.2"',
  'placeholder="Enter your password" type="password"',
  'password: "Enter your password"',
  '"password": "Password"',
  '"token": " the"',
  '"eos_token": "</s>"',
  '"next_token": "hello"',
  "the password: ask Dana",
  "password: required",
  "Your token: see the wiki",
  "<REDACTED>",
  "api_key=<REDACTED>",
  '"password": "<REDACTED>"',
  "https://host:8080/a@b",
  "https://user:${PASS}@host",
  "https://example.org/reset-password?step=2",
  "see /etc/secrets/token: mode 600",
  "commit 4f2a9c1d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b",
  "id 123e4567-e89b-12d3-a456-426614174000",
  "sk-loading-spinner-container-large",
  "bearer authentication is required here",
  "the basic understanding of things",
  "Authorization: Bearer ${token}",
  "Authorization: Bearer <token>",
  "headers.authorization = `Bearer ${token}`",
  "`-----BEGIN RSA PRIVATE KEY-----` opens a key file in this format",
  "passport: true, passed: 12, bypass=1",
  "for (const token of tokens) count += 1;",
  "type Token = { kind: string }",
  "class TokenStream: pass",
  "PWD=/home/dev/project",
  "DB_PASSWORD=${DB_PASSWORD:-postgres}",
  "password: !vault |",
  "AccessToken: accessToken2,",
  "token: Token2Kind",
  "password must be 8 characters",
  '{"password":{"type":"string","minLength":8}}',
  "public_key: abc123",
  "--- PASS: TestLogin2 (0.07s)",
  "export ANTHROPIC_API_KEY=sk-ant-...",
  '"api_key": "***HIDDEN***"',
  "send `Authorization: Bearer <apiKey>` and `true`",
  'pwd = "~"',
  "primary key: id1",
];

describe("what must go", () => {
  it.each(GOES)("%s", (text, expected) => {
    verifies("field/secrets-missed");
    expect(redactor.text(text)).toBe(expected);
    // A second pass finds nothing new.
    expect(redactor.text(expected)).toBe(expected);
  });
});

describe("what must stay", () => {
  it.each(STAYS)("%s", (text) => {
    verifies("field/code-mangled-by-redaction");
    expect(redactor.text(text)).toBe(text);
  });
});

describe("defaults", () => {
  it("cover keys, passwords, tokens and private keys without being asked", () => {
    verifies("conversation/redaction-on-by-default");
    const text = `api_key=sk-abc123 "password": "hunter2" Authorization: Bearer abcdefghij max_tokens: 500 ${BEGIN}\n${BODY}\n${END}`;
    expect(createRedactor().isEnabled).toBe(true);
    expect(createRedactor().text(text)).toBe(
      `api_key=${M} "password": "${M}" Authorization: Bearer ${M} max_tokens: 500 ${BEGIN}${M}${END}`,
    );
  });
});
