// Tokens of model providers, of messaging and mail, of payment and shops.
import { hasDigit, hasLetterAndDigit, type ShapeRule, token } from "./shape-rule.ts";

export function modelProviderShapes(): readonly ShapeRule[] {
  return [
    token("anthropic-key", "Anthropic keys", ["sk-ant-"], "sk-ant-[A-Za-z0-9_-]{8,200}"),
    token(
      "openai-key",
      "OpenAI keys and the many that begin alike (OpenRouter, DeepSeek, Langfuse)",
      ["sk-"],
      "sk-(?:proj-|svcacct-|admin-|or-v1-|lf-)?[A-Za-z0-9_-]{16,200}",
      hasDigit,
    ),
    token(
      "huggingface-token",
      "Hugging Face tokens",
      ["hf_", "api_org_"],
      "(?:hf_[A-Za-z0-9]{20,60}|api_org_[A-Za-z0-9]{30,50})",
      hasUpperAndLower,
    ),
    token("groq-key", "Groq keys", ["gsk_"], "gsk_[A-Za-z0-9]{20,100}"),
    token("xai-key", "xAI keys", ["xai-"], "xai-[A-Za-z0-9]{30,120}"),
    token("perplexity-key", "Perplexity keys", ["pplx-"], "pplx-[A-Za-z0-9]{30,80}"),
    token("replicate-token", "Replicate tokens", ["r8_"], "r8_[A-Za-z0-9]{30,50}"),
    token("fireworks-key", "Fireworks keys", ["fw_"], "fw_[A-Za-z0-9]{20,40}(?![A-Za-z0-9_])", hasUpperLowerDigit),
    token("langsmith-key", "LangSmith keys", ["lsv2_"], "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    token("pinecone-key", "Pinecone keys", ["pcsk_"], "pcsk_[A-Za-z0-9_]{40,100}"),
    token("tavily-key", "Tavily keys", ["tvly-"], "tvly-[A-Za-z0-9-]{20,60}", hasDigit),
  ];
}

export function messagingShapes(): readonly ShapeRule[] {
  return [
    token("slack-token", "Slack tokens", ["xox", "xapp-"], "(?:xox[abeoprs](?:\\.xox[bp])?|xapp)-[A-Za-z0-9-]{10,250}"),
    token(
      "slack-webhook",
      "Slack webhooks",
      ["hooks.slack.com"],
      "hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,120})",
    ),
    {
      id: "discord-webhook",
      what: "Discord webhooks",
      keywords: ["/api/webhooks/"],
      pattern: /\/api\/webhooks\/\d{15,22}\/([A-Za-z0-9_-]{40,100})/dy,
    },
    {
      id: "discord-bot-token",
      what: "Discord bot tokens given to login() or after Bot",
      keywords: ["login(", "bot "],
      pattern: /(?:login\(\s{0,4}\\{0,8}["'`]|Bot )([A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})/dy,
    },
    {
      id: "teams-webhook",
      what: "Microsoft Teams webhooks",
      keywords: ["webhook.office.com/"],
      pattern: /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@-]{36,90}\/IncomingWebhook\/[A-Za-z0-9/-]{36,150})/dy,
    },
    {
      id: "telegram-bot-token",
      what: "Telegram bot tokens",
      keywords: [":aa"],
      behind: /\d/,
      pattern: /(?<![A-Za-z0-9_])\d{8,10}:AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])/dy,
    },
    token("sendgrid-key", "SendGrid keys", ["sg."], "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}"),
    token("mailgun-key", "Mailgun keys", ["key-"], "key-[a-f0-9]{32}(?![A-Za-z0-9])"),
    {
      id: "mailchimp-key",
      what: "Mailchimp keys",
      keywords: ["-us"],
      behind: /[0-9a-f]/,
      pattern: /[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9-])/dy,
    },
    token("brevo-key", "Brevo keys", ["xkeysib-", "xsmtpsib-"], "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    token(
      "resend-key",
      "Resend keys",
      ["re_"],
      "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9_])",
      hasUpperLowerDigit,
    ),
    token("twilio-key", "Twilio API key ids", ["sk"], "SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    token("hubspot-token", "HubSpot tokens", ["pat-"], "pat-[a-z]{2}\\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  ];
}

export function paymentShapes(): readonly ShapeRule[] {
  return [
    token(
      "stripe-key",
      "Stripe keys and webhook secrets",
      ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
      "(?:(?:sk|rk)_(?:live|test)_|whsec_)[A-Za-z0-9+/]{10,250}",
      hasDigit,
    ),
    token(
      "shopify-token",
      "Shopify tokens",
      ["shpat_", "shpca_", "shppa_", "shpss_"],
      "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    ),
    token(
      "square-token",
      "Square tokens",
      ["sq0", "eaaa"],
      "(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,50}|EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-]))",
    ),
    token(
      "paypal-braintree-token",
      "Braintree tokens",
      ["access_token$"],
      "access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}",
    ),
    token("razorpay-key", "Razorpay key ids", ["rzp_live_", "rzp_test_"], "rzp_(?:live|test)_[A-Za-z0-9]{14,30}"),
    token(
      "plaid-token",
      "Plaid tokens",
      ["access-production-", "access-sandbox-"],
      "access-(?:production|sandbox)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    token("flutterwave-key", "Flutterwave keys", ["flwseck"], "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,50}(?:-X)?"),
    token("facebook-token", "Facebook tokens", ["eaac", "eaab"], "EAA[BC][A-Za-z0-9]{80,400}"),
    token("dropbox-token", "Dropbox tokens", ["sl."], "sl\\.(?:u\\.)?[A-Za-z0-9_-]{100,1500}", hasLetterAndDigit),
    token("mapbox-token", "Mapbox secret tokens", ["sk.ey"], "sk\\.ey[A-Za-z0-9_-]{40,400}\\.[A-Za-z0-9_-]{16,60}"),
  ];
}

function hasUpperAndLower(secret: string): boolean {
  return /[A-Z]/.test(secret.slice(3)) && /[a-z]/.test(secret.slice(3));
}

function hasUpperLowerDigit(secret: string): boolean {
  return hasUpperAndLower(secret) && hasDigit(secret);
}
