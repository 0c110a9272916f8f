// The kinds of secrets that are planted. Each is made at run time from pieces, so that no scanner takes this file for a
// leak. Vendors' keys by their own shape first, then what is known by the words around it.
import type { Draw } from "./draw.ts";

export interface PlantedSecret {
  /** What stands in the conversation: the secret with what is usually around it. */
  readonly text: string;
  /** Its parts that no reader may see, without fixed beginnings. Each has at least 12 characters. */
  readonly secrets: readonly string[];
}

export interface SecretKind {
  readonly id: string;
  make(draw: Draw): PlantedSecret;
}

function kind(
  id: string,
  secretOf: (draw: Draw) => string,
  around: (secret: string, draw: Draw) => string,
): SecretKind {
  return {
    id,
    make(draw) {
      const secret = secretOf(draw);
      return { text: around(secret, draw), secrets: [secret] };
    },
  };
}

/** A token that is known by how it begins. */
function token(id: string, prefix: readonly string[], secretOf: (draw: Draw) => string): SecretKind {
  return kind(id, secretOf, (secret) => `use ${prefix.join("")}${secret} for this`);
}

const BODY_LINES = 8;

/** A private key in armour: each line of its body is a secret. */
function privateKey(id: string, label: string, lineBreak = "\n"): SecretKind {
  return {
    id,
    make(draw) {
      const lines = Array.from({ length: BODY_LINES }, () => draw("base64", 64));
      const rule = "-----";
      const text = [`${rule}BEGIN ${label}${rule}`, ...lines, `${rule}END ${label}${rule}`, ""].join(lineBreak);
      return { text, secrets: lines };
    },
  };
}

const jwt: SecretKind = {
  id: "jwt",
  make(draw) {
    const [claims, signature] = [draw("urlSafe", 60), draw("urlSafe", 43)];
    const header = ["eyJ", "hbGciOiJIUzI1NiJ9"].join("");
    return { text: `sent ${header}.${["eyJ", claims].join("")}.${signature} upstream`, secrets: [claims, signature] };
  },
};

export const VENDOR_KINDS: readonly SecretKind[] = [
  token("aws-access-key-id", ["AK", "IA"], (draw) => draw("base32", 16)),
  token("google-api-key", ["AI", "za"], (draw) => draw("words", 35)),
  token("google-client-secret", ["GOC", "SPX-"], (draw) => draw("words", 28)),
  token("google-access-token", ["ya", "29."], (draw) => draw("words", 70)),
  token("github-token", ["gh", "p_"], (draw) => draw("words", 36)),
  token("github-app-token", ["gh", "s_"], (draw) => draw("words", 36)),
  token("github-fine-grained-token", ["github", "_pat_"], (draw) => draw("words", 60)),
  token("gitlab-token", ["gl", "pat-"], (draw) => draw("words", 20)),
  token("slack-token", ["xo", "xb-"], (draw) => `${draw("digits", 12)}-${draw("words", 24)}`),
  token("slack-webhook", ["https://hooks.", "slack.com/", "services/T01AB/B02CD/"], (draw) => draw("words", 24)),
  token("openai-key", ["sk", "-proj-"], (draw) => draw("words", 48)),
  token("anthropic-key", ["sk", "-ant-", "api03-"], (draw) => draw("words", 60)),
  token("huggingface-token", ["h", "f_"], (draw) => draw("words", 34)),
  token("groq-key", ["gs", "k_"], (draw) => draw("words", 52)),
  token("stripe-key", ["sk", "_live_"], (draw) => draw("words", 24)),
  token("stripe-webhook-secret", ["wh", "sec_"], (draw) => draw("words", 32)),
  token("sendgrid-key", ["S", "G."], (draw) => `${draw("words", 22)}.${draw("words", 43)}`),
  token("npm-token", ["np", "m_"], (draw) => draw("words", 36)),
  token("pypi-token", ["py", "pi-"], (draw) => draw("words", 80)),
  token("digitalocean-token", ["dop", "_v1_"], (draw) => draw("hex", 64)),
  token("shopify-token", ["shp", "at_"], (draw) => draw("hex", 32)),
  token("vault-token", ["hv", "s."], (draw) => draw("words", 40)),
  token("age-key", ["AGE-SECRET", "-KEY-1"], (draw) => draw("base32", 58)),
  kind(
    "telegram-bot-token",
    (draw) => draw("words", 33),
    (secret, draw) => `bot ${draw("digits", 9)}:${["A", "A"].join("")}${secret} answers`,
  ),
  jwt,
  privateKey("rsa-private-key", ["RSA ", "PRIVATE", " KEY"].join("")),
  privateKey("openssh-private-key", ["OPENSSH ", "PRIVATE", " KEY"].join("")),
  privateKey("private-key-in-json", ["PRIVATE", " KEY"].join(""), "\\n"),
];

/** What is a secret because of the words before it. */
export const NAMED_KINDS: readonly SecretKind[] = [
  kind(
    "aws-secret-key",
    (draw) => draw("base64", 40),
    (secret) => `AWS_SECRET_ACCESS_KEY=${secret}`,
  ),
  kind(
    "azure-account-key",
    (draw) => draw("base64", 86),
    (secret) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret}==;EndpointSuffix=core.example`,
  ),
  kind(
    "azure-client-secret",
    (draw) => draw("words", 40),
    (secret) => `AZURE_CLIENT_SECRET=${secret}`,
  ),
  kind(
    "twilio-token",
    (draw) => draw("hex", 32),
    (secret) => `TWILIO_AUTH_TOKEN=${secret}`,
  ),
  kind(
    "env-line-in-quotes",
    (draw) => draw("words", 24),
    (secret) => `export SHOP_API_KEY="${secret}"`,
  ),
  kind(
    "env-line-with-signs",
    (draw) => `${draw("words", 12)},${draw("words", 12)}`,
    (secret) => `DB_PASSWORD=${secret}`,
  ),
  kind(
    "api-key-in-text",
    (draw) => draw("words", 24),
    (secret) => `api_key=${secret}`,
  ),
  kind(
    "password-in-text",
    (draw) => draw("words", 14),
    (secret) => `the login is admin, password: ${secret}`,
  ),
  kind(
    "password-in-json",
    (draw) => draw("words", 14),
    (secret) => JSON.stringify({ user: "admin", password: secret, port: 5432 }),
  ),
  kind(
    "key-in-nested-json",
    (draw) => draw("words", 32),
    (secret) => JSON.stringify({ body: JSON.stringify({ headers: JSON.stringify({ api_key: secret, retries: 3 }) }) }),
  ),
  kind(
    "secret-in-yaml",
    (draw) => draw("words", 28),
    (secret) => `oauth:\n  client_id: shop\n  client_secret: ${secret}\n`,
  ),
  kind(
    "password-in-xml",
    (draw) => draw("words", 16),
    (secret) => `<user>admin</user><password>${secret}</password>`,
  ),
  kind(
    "bearer-header",
    (draw) => draw("words", 40),
    (secret) => `curl -H "Authorization: Bearer ${secret}" https://shop.example/api`,
  ),
  kind(
    "basic-header",
    (draw) => draw("base64", 28),
    (secret) => `Authorization: Basic ${secret}`,
  ),
  kind(
    "key-header",
    (draw) => draw("words", 32),
    (secret) => `X-Api-Key: ${secret}`,
  ),
  kind(
    "session-cookie",
    (draw) => draw("words", 40),
    (secret) => `Set-Cookie: session_id=${secret}; Path=/; HttpOnly`,
  ),
  kind(
    "password-in-url",
    (draw) => draw("words", 18),
    (secret) => `git clone https://bot:${secret}@git.example/shop.git`,
  ),
  kind(
    "postgres-url",
    (draw) => draw("words", 18),
    (secret) => `DATABASE_URL=postgres://shop:${secret}@db.internal:5432/shop`,
  ),
  kind(
    "mongodb-url",
    (draw) => draw("words", 18),
    (secret) => `mongodb+srv://shop:${secret}@cluster0.example/shop?retryWrites=true`,
  ),
  kind(
    "redis-url",
    (draw) => draw("words", 24),
    (secret) => `redis://:${secret}@cache.internal:6379/0`,
  ),
  kind(
    "sql-server-string",
    (draw) => draw("words", 16),
    (secret) => `Server=db;Database=shop;User Id=sa;Password=${secret};Encrypt=true`,
  ),
  kind(
    "token-in-query",
    (draw) => draw("words", 32),
    (secret) => `GET /callback?state=5&access_token=${secret}&scope=all`,
  ),
  kind(
    "password-flag",
    (draw) => draw("words", 16),
    (secret) => `shopctl login --user admin --password ${secret} --wait`,
  ),
  kind(
    "user-of-curl",
    (draw) => draw("words", 16),
    (secret) => `curl -s -u admin:${secret} https://shop.example/health`,
  ),
  kind(
    "literal-in-code",
    (draw) => draw("words", 24),
    (secret) => `const client = connect({ user: "admin", apiKey: "${secret}" });`,
  ),
];

export const SECRET_KINDS: readonly SecretKind[] = [...VENDOR_KINDS, ...NAMED_KINDS];
