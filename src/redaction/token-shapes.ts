// Secrets that are known by their own shape, whatever stands around them. One row a kind: its id, plain strings
// one of which must occur (one scan finds which do, and only their rules run), and the shape. Every quantifier
// is bounded and every shape starts at a word's start, so hostile text stays linear.
import type { Span } from "./spans.ts";

export interface ShapeRule {
  readonly id: string;
  /** Looked for as written. No keyword may begin with another one. */
  readonly keywords: readonly string[];
  /** Flags `gd` or `gid`; group 1, where there is one, is the secret, else the whole match. */
  readonly pattern: RegExp;
  /** A second look where the shape alone is too wide. */
  readonly accepts?: (secret: string) => boolean;
}

/** A word starts here: no letter, digit or underscore before, or the tail of an escaped line break (`\n`). */
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))`;

function shape(
  id: string,
  keywords: readonly string[],
  body: string,
  accepts?: (secret: string) => boolean,
): ShapeRule {
  const rule = { id, keywords, pattern: new RegExp(START + body, "gd") };
  return accepts === undefined ? rule : { ...rule, accepts };
}

function hasDigit(secret: string): boolean {
  return /\d/.test(secret);
}

function createShapeRules(): readonly ShapeRule[] {
  return [
    shape("anthropic-api-key", ["sk-"], "sk-ant-[A-Za-z0-9_-]{8,200}"),
    shape("openai-api-key", ["sk-"], "sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{16,200}", hasDigit),
    shape("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{20,255}"),
    shape("github-fine-grained-token", ["github_pat_"], "github_pat_[A-Za-z0-9_]{20,255}"),
    shape("gitlab-token", ["glpat-", "gldt-", "glrt-", "glptt-"], "gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{16,100}"),
    shape("slack-token", ["xox", "xapp-"], "(?:xox[abeprs]|xapp)-[A-Za-z0-9-]{10,250}"),
    shape("slack-webhook", ["hooks.slack.com"], "hooks\\.slack\\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,120})"),
    shape("aws-access-key-id", ["AKIA", "ASIA", "ABIA", "ACCA"], "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    shape("google-api-key", ["AIza"], "AIza[A-Za-z0-9_-]{30,60}"),
    shape("google-oauth", ["ya29.", "GOCSPX-"], "(?:ya29\\.|GOCSPX-)[A-Za-z0-9_-]{20,400}"),
    shape("jwt", ["eyJ"], "eyJ[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{0,4000}"),
    shape("stripe-key", ["_live_", "_test_", "whsec_"], "(?:(?:sk|rk)_(?:live|test)_|whsec_)[A-Za-z0-9]{10,250}"),
    shape("npm-token", ["npm_"], "npm_[A-Za-z0-9]{30,60}"),
    shape("pypi-token", ["pypi-"], "pypi-[A-Za-z0-9_-]{40,300}"),
    shape("huggingface-token", ["hf_"], "hf_[A-Za-z0-9]{20,60}"),
    shape("sendgrid-key", ["SG."], "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}"),
    shape("groq-key", ["gsk_"], "gsk_[A-Za-z0-9]{20,100}"),
    shape("xai-key", ["xai-"], "xai-[A-Za-z0-9]{30,120}"),
    shape("digitalocean-token", ["_v1_"], "do[opr]_v1_[a-f0-9]{40,80}"),
    shape("shopify-token", ["shp"], "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    shape("vault-token", ["hvs."], "hvs\\.[A-Za-z0-9_-]{20,200}"),
    shape("age-secret-key", ["AGE-SECRET-KEY-1"], "AGE-SECRET-KEY-1[A-Z0-9]{40,80}"),
    shape("telegram-bot-token", [":AA"], "\\d{8,10}:AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])"),
    {
      id: "url-password",
      keywords: ["://"],
      // A dollar or a brace stands for a variable, not for a password.
      pattern: /:\/\/[^\s:@/"'`<>\\]{0,100}:([^\s@/"'`<>\\${}]{1,256})@/dg,
    },
    {
      id: "bearer-token",
      keywords: ["bearer", "Bearer", "BEARER"],
      pattern: /\bbearer[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,8000})/dgi,
      accepts: hasDigit,
    },
    {
      id: "basic-credentials",
      keywords: ["basic", "Basic", "BASIC"],
      pattern: /\bbasic[ \t]{1,4}([A-Za-z0-9+/]{12,1000}={0,2})(?![A-Za-z0-9+/=_-])/dgi,
      accepts: (secret) => hasDigit(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret),
    },
    {
      id: "curl-user",
      keywords: ["curl"],
      pattern: /\bcurl\b[^\n]{0,300}? (?:-u|--user)[ =]{1,2}["']?[^\s:"'$]{1,100}:([^\s"'$]{1,200})/dg,
    },
    { id: "quoted-password-flag", keywords: ["-p'"], pattern: /(?<=\s)-p'([^'\n]{1,200})'/dg },
    { id: "quoted-password-flag", keywords: ['-p"'], pattern: /(?<=\s)-p"([^"\n$]{1,200})"/dg },
  ];
}

/** Makes the search for every shape of the table. */
export function createShapeFinder(): (text: string) => readonly Span[] {
  const rules = createShapeRules();
  const words = [...new Set(rules.flatMap((rule) => rule.keywords))];
  const anyKeyword = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|"), "g");
  return (text) => {
    const present = keywordsIn(text, anyKeyword);
    if (present.size === 0) return [];
    return rules
      .filter(({ keywords }) => keywords.some((keyword) => present.has(keyword)))
      .flatMap((rule) => findShape(text, rule));
  };
}

function keywordsIn(text: string, anyKeyword: RegExp): ReadonlySet<string> {
  const present = new Set<string>();
  anyKeyword.lastIndex = 0;
  for (let match = anyKeyword.exec(text); match !== null; match = anyKeyword.exec(text)) {
    present.add(match[0]);
  }
  return present;
}

function findShape(text: string, { pattern, accepts }: ShapeRule): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const range = match.indices?.[1] ?? match.indices?.[0];
    if (range === undefined) continue;
    const [start, end] = range;
    if (accepts?.(text.slice(start, end)) ?? true) spans.push({ start, end });
  }
  return spans;
}
