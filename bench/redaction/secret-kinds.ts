// The kinds of secrets that are planted: what each looks like, put together from parts when the bench runs, so that no
// file holds anything that a scanner takes for a leak. Shapes are from the vendors' public documentation.
import { ALNUM, BASE64, BASE64URL, DIGITS, HEX, LOWER, type Random, UPPER } from "./random.ts";

export interface SecretKind {
  readonly kind: string;
  readonly make: (random: Random) => string;
  /** The name that it usually has in the environment. */
  readonly variable: string;
  /** Nothing but the name tells it from other text: it is planted under its name only. */
  readonly byName?: boolean;
}

const of =
  (prefix: string, length: number, alphabet = ALNUM) =>
  (random: Random) =>
    prefix + random.text(length, alphabet);

function known(kind: string, variable: string, make: SecretKind["make"]): SecretKind {
  return { kind, variable, make };
}

function named(kind: string, variable: string, make: SecretKind["make"]): SecretKind {
  return { kind, variable, make, byName: true };
}

export const CLOUD: readonly SecretKind[] = [
  known("AWS access key id", "AWS_ACCESS_KEY_ID", of("AK" + "IA", 16, UPPER + DIGITS)),
  named("AWS secret access key", "AWS_SECRET_ACCESS_KEY", of("", 40, BASE64)),
  named("AWS session token", "AWS_SESSION_TOKEN", of("IQoJ", 300, BASE64)),
  known("Google API key", "GOOGLE_API_KEY", of("AI" + "za", 35, BASE64URL)),
  known("Google OAuth token", "GOOGLE_ACCESS_TOKEN", of("ya" + "29.", 120, BASE64URL)),
  known("Google client secret", "GOOGLE_CLIENT_SECRET", of("GOC" + "SPX-", 28, BASE64URL)),
  named("Azure storage key", "AZURE_STORAGE_KEY", (random) => `${random.text(86, BASE64)}==`),
  known("Azure AD client secret", "AZURE_CLIENT_SECRET", (random) => `${random.text(3)}8Q~${random.text(34)}`),
  named("Cloudflare token", "CLOUDFLARE_API_TOKEN", of("", 40, BASE64URL)),
  known("DigitalOcean token", "DIGITALOCEAN_TOKEN", of("dop" + "_v1_", 64, HEX)),
  named("Heroku key", "HEROKU_API_KEY", uuid),
  known("Alibaba access key id", "ALIBABA_ACCESS_KEY_ID", of("LT" + "AI5t", 20)),
  named("Alibaba access key secret", "ALIBABA_ACCESS_KEY_SECRET", of("", 30)),
  named("IBM Cloud key", "IBMCLOUD_API_KEY", of("", 44, BASE64URL)),
  known("Databricks token", "DATABRICKS_TOKEN", of("da" + "pi", 32, HEX)),
  known("Vault token", "VAULT_TOKEN", of("hv" + "s.", 95, BASE64URL)),
  known("Doppler token", "DOPPLER_TOKEN", of("dp." + "pt.", 43)),
  known("PlanetScale password", "DATABASE_PASSWORD", of("pscale" + "_pw_", 43, BASE64URL)),
  known("Supabase token", "SUPABASE_ACCESS_TOKEN", of("sb" + "p_", 40, HEX)),
];

export const DEVELOPER: readonly SecretKind[] = [
  known("GitHub token", "GITHUB_TOKEN", of("gh" + "p_", 36)),
  known("GitHub fine-grained token", "GH_TOKEN", (random) => `github${"_pat_"}${random.text(22)}_${random.text(59)}`),
  known("GitLab token", "GITLAB_TOKEN", of("gl" + "pat-", 20, BASE64URL)),
  known("npm token", "NPM_TOKEN", of("np" + "m_", 36)),
  known("PyPI token", "TWINE_PASSWORD", of("py" + "pi-AgEIcHlwaS5vcmc", 120, BASE64URL)),
  known("Docker Hub token", "DOCKERHUB_TOKEN", of("dckr" + "_pat_", 27, BASE64URL)),
  known("Atlassian token", "JIRA_API_TOKEN", of("AT" + "ATT3xFfGF0", 160, BASE64URL)),
  known("Linear key", "LINEAR_API_KEY", of("lin" + "_api_", 40)),
  known("Figma token", "FIGMA_TOKEN", of("fi" + "gd_", 40, BASE64URL)),
  known("Notion token", "NOTION_TOKEN", of("nt" + "n_", 46)),
  known("Grafana token", "GRAFANA_TOKEN", of("gl" + "sa_", 41)),
  known("New Relic key", "NEW_RELIC_API_KEY", of("NR" + "AK-", 27, UPPER + DIGITS)),
  named("Datadog key", "DD_API_KEY", of("", 32, HEX)),
  known("Sentry token", "SENTRY_AUTH_TOKEN", of("sntr" + "yu_", 64, HEX)),
  named("Okta token", "OKTA_API_TOKEN", of("00", 40, BASE64URL)),
  known("Postman key", "POSTMAN_API_KEY", (random) => `PM${"AK-"}${random.text(24, HEX)}-${random.text(34, HEX)}`),
  known("RubyGems key", "GEM_HOST_API_KEY", of("ruby" + "gems_", 48, HEX)),
];

export const VENDORS: readonly SecretKind[] = [
  known("OpenAI key", "OPENAI_API_KEY", of("sk" + "-proj-", 100, BASE64URL)),
  known("Anthropic key", "ANTHROPIC_API_KEY", of("sk" + "-ant-api03-", 95, BASE64URL)),
  known("Hugging Face token", "HF_TOKEN", of("h" + "f_", 34)),
  known("Groq key", "GROQ_API_KEY", of("gs" + "k_", 52)),
  known("xAI key", "XAI_API_KEY", of("xa" + "i-", 80)),
  known("Replicate token", "REPLICATE_API_TOKEN", of("r" + "8_", 37)),
  known("Perplexity key", "PERPLEXITY_API_KEY", of("pp" + "lx-", 48)),
  known("NVIDIA key", "NVIDIA_API_KEY", of("nv" + "api-", 64, BASE64URL)),
  known("Jina key", "JINA_API_KEY", of("ji" + "na_", 60)),
  known("Google key of an account", "GEMINI_API_KEY", of("A" + "Q.Ab8", 45, BASE64URL)),
  known(
    "Cloudflare origin key",
    "CLOUDFLARE_ORIGIN_KEY",
    (random) => `v1${".0-"}${random.text(24, HEX)}-${random.text(146, HEX)}`,
  ),
  known(
    "Slack token",
    "SLACK_BOT_TOKEN",
    (random) => `xo${"xb-"}${random.text(12, DIGITS)}-${random.text(13, DIGITS)}-${random.text(24)}`,
  ),
  known("Discord bot token", "DISCORD_TOKEN", (random) => {
    const id = Buffer.from(`1${random.text(17, DIGITS)}`).toString("base64url");
    return `${id}.${random.text(6)}.${random.text(38, BASE64URL)}`;
  }),
  known(
    "Telegram bot token",
    "TELEGRAM_BOT_TOKEN",
    (random) => `7${random.text(9, DIGITS)}:AA${random.text(33, BASE64URL)}`,
  ),
  known(
    "SendGrid key",
    "SENDGRID_API_KEY",
    (random) => `S${"G."}${random.text(22, BASE64URL)}.${random.text(43, BASE64URL)}`,
  ),
  known("Mailgun key", "MAILGUN_API_KEY", of("ke" + "y-", 32, HEX)),
  named("Twilio auth token", "TWILIO_AUTH_TOKEN", of("", 32, HEX)),
  known("Stripe key", "STRIPE_SECRET_KEY", of("sk" + "_live_", 99)),
  known("Stripe webhook secret", "STRIPE_WEBHOOK_SECRET", of("wh" + "sec_", 32)),
  known("Shopify token", "SHOPIFY_ACCESS_TOKEN", of("shp" + "at_", 32, HEX)),
  known("Square token", "SQUARE_ACCESS_TOKEN", of("sq" + "0atp-", 22, BASE64URL)),
  known("JSON web token", "ID_TOKEN", jwt),
  known("age key", "SOPS_AGE_KEY", of("AGE-SECRET" + "-KEY-1", 58, UPPER + DIGITS)),
  named("plain password", "DB_PASSWORD", (random) => `${random.text(6, LOWER)}-${random.text(8)}!`),
  named("signing secret", "SESSION_SECRET", of("", 64, HEX)),
];

export function jwt(random: Random): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = part({ sub: random.text(10, DIGITS), name: random.text(8, LOWER), iat: 1_700_000_000 });
  return `${part({ alg: "HS256", typ: "JWT" })}.${claims}.${random.text(43, BASE64URL)}`;
}

export function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => random.text(length, HEX)).join("-");
}
