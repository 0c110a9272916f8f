// The keys and tokens of providers, each known by a shape of its own: clouds, platforms, code hosts, tools, models,
// messaging, payment.
import { hasDigit, hasLetterAndDigit, type ShapeRow } from "./shapes.ts";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![A-Za-z0-9])";

/** What base64 makes of the first two digits of a number that begins with 1 to 9. */
const DISCORD_STARTS = Array.from({ length: 90 }, (_, at) =>
  btoa(`${at + 10}`)
    .slice(0, 3)
    .toLowerCase(),
);

export const PROVIDER_SHAPES: readonly ShapeRow[] = [
  // Clouds.
  ["aws-access-key-id", "AWS access key ids", "akia asia abia acca", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["aws-bedrock-key", "Amazon Bedrock keys", "absk", "\\bABSK[A-Za-z0-9+/]{40,400}={0,2}", hasDigit],
  [
    "google-api-key",
    "Google API keys, Firebase too",
    "aiza",
    "\\bAIza[A-Za-z0-9_-]{30,60}|AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])",
  ],
  [
    "google-oauth",
    "Google OAuth tokens, client secrets and keys bound to an account",
    "ya29. gocspx- 1//0 aq.",
    "(?:ya29\\.|GOCSPX-|\\b1//0|\\bAQ\\.Ab|AQ\\.Ab8)[A-Za-z0-9_-]{20,400}",
  ],
  {
    id: "firebase-messaging-key",
    what: "Firebase messaging server keys",
    keywords: [":apa91b"],
    behind: /[A-Za-z0-9_-]/,
    pattern: /[A-Za-z0-9_-]{7,30}:APA91b[A-Za-z0-9_-]{80,300}/dy,
  },
  {
    id: "azure-client-secret",
    what: "Azure AD client secrets",
    keywords: ["q~"],
    behind: /[A-Za-z0-9_~.-]/,
    pattern: /[A-Za-z0-9_~.-]{3,40}?\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/dy,
  },
  {
    id: "signed-address",
    what: "Signatures in addresses: Azure SAS, AWS and Google signed URLs",
    keywords: ["sig=", "-signature="],
    behind: /[A-Za-z-]/,
    pattern: /(?<=[?&;"'\s])(?:sig|x-(?:amz|goog)-signature)=([A-Za-z0-9%+/=_-]{20,1200})/diy,
  },
  ["cloudflare-origin-key", "Cloudflare origin CA keys", "v1.0-", "v1\\.0-[a-f0-9]{24}-[a-f0-9]{100,200}"],
  [
    "alibaba-access-key-id",
    "Alibaba Cloud access key ids",
    "ltai",
    "\\bLTAI[A-Za-z0-9]{12,30}|LTAI5t[A-Za-z0-9]{18,20}(?![A-Za-z0-9])",
    hasDigit,
  ],
  ["tencent-secret-id", "Tencent Cloud secret ids", "akid", "\\bAKID[A-Za-z0-9]{32,40}(?![A-Za-z0-9])", hasDigit],
  // Where code and its secrets are kept and run.
  ["digitalocean-token", "DigitalOcean tokens", "dop_v1_ doo_v1_ dor_v1_", "do[opr]_v1_[a-f0-9]{40,80}"],
  ["heroku-key", "Heroku API keys", "hrku-", "HRKU-[A-Za-z0-9_-]{30,80}"],
  ["flyio-token", "Fly.io tokens", "fo1_ fm1r_ fm2_", "\\bf(?:o1|m1r|m2)_[A-Za-z0-9+/=_-]{30,1000}", hasDigit],
  ["netlify-token", "Netlify tokens", "nfp_ nfc_", "nf[pc]_[A-Za-z0-9]{30,60}"],
  ["vercel-token", "Vercel tokens", "vcp_ vck_ vercel_blob_rw_", "(?:\\bvc[pk]|vercel_blob_rw)_[A-Za-z0-9_]{20,100}"],
  ["render-key", "Render API keys", "rnd_", "\\brnd_[A-Za-z0-9]{24,60}", hasDigit],
  [
    "supabase-key",
    "Supabase tokens and secret keys",
    "sbp_ sb_secret_",
    "(?:sbp_[a-f0-9]{40}|\\bsb_secret_[A-Za-z0-9_-]{20,60})",
  ],
  [
    "planetscale-token",
    "PlanetScale passwords and tokens",
    "pscale_",
    "pscale_(?:tkn|pw|oauth|app_secret)_[A-Za-z0-9_=.-]{24,100}",
  ],
  ["databricks-token", "Databricks tokens", "dapi dkea", "d(?:api|kea)[a-f0-9]{32}(?:-\\d{1,2})?(?![A-Za-z0-9])"],
  [
    "vault-token",
    "HashiCorp Vault tokens",
    "hvs. hvb. hvr.",
    "\\bhv[sbr]\\.[A-Za-z0-9_-]{20,300}|hvs\\.[A-Za-z0-9_-]{80,300}",
  ],
  {
    id: "terraform-cloud-token",
    what: "Terraform Cloud tokens",
    keywords: [".atlasv1."],
    behind: /[A-Za-z0-9]/,
    pattern: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,80}/dy,
  },
  [
    "doppler-token",
    "Doppler tokens",
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,40}\\.)?[A-Za-z0-9]{40,60}",
  ],
  ["pulumi-token", "Pulumi tokens", "pul-", "pul-[a-f0-9]{40}(?![A-Za-z0-9])"],
  ["1password-token", "1Password service account tokens", "ops_ey", "ops_ey[A-Za-z0-9_=-]{100,2000}"],
  [
    "ngrok-key",
    "ngrok API keys and tokens",
    "ak_2 cr_2",
    "\\b(?:ak|cr)_2[A-Za-z0-9]{26,30}(?:_[A-Za-z0-9]{20,30})?",
    hasLetterAndDigit,
  ],
  // Code hosts and package registries.
  ["github-token", "GitHub tokens", "ghp_ gho_ ghu_ ghs_ ghr_", "gh[pousr]_[A-Za-z0-9]{20,255}"],
  ["github-fine-grained-token", "GitHub fine-grained tokens", "github_pat_", "github_pat_[A-Za-z0-9_]{20,255}"],
  [
    "gitlab-token",
    "GitLab tokens: personal, deploy, runner, trigger, job, feed, agent",
    "glpat- gldt- glrt- glptt- glcbt- glft- glimt- glagent- glsoat- gloas- glffct-",
    "gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_.-]{16,300}",
  ],
  ["gitlab-runner-registration", "GitLab runner registration tokens", "gr1348941", "GR1348941[A-Za-z0-9_-]{20,60}"],
  [
    "atlassian-token",
    "Atlassian and Bitbucket tokens",
    "atatt3 atctt3 atbb",
    "(?:AT[AC]TT3[A-Za-z0-9_=.-]{40,300}|\\bATBB[A-Za-z0-9]{28,40})",
  ],
  ["npm-token", "npm tokens", "npm_", "npm_[A-Za-z0-9]{30,60}"],
  ["pypi-token", "PyPI tokens", "pypi-", "(?:\\bpypi-|pypi-AgE)[A-Za-z0-9_-]{40,300}"],
  ["docker-hub-token", "Docker Hub tokens", "dckr_pat_ dckr_oat_", "dckr_[po]at_[A-Za-z0-9_-]{20,60}"],
  ["rubygems-key", "RubyGems keys", "rubygems_", "rubygems_[a-f0-9]{40,60}"],
  ["crates-io-token", "crates.io tokens", "cio", "\\bcio[A-Za-z0-9]{32}(?![A-Za-z0-9_])", hasDigit],
  ["nuget-key", "NuGet keys", "oy2", "\\boy2[a-z0-9]{43}(?![A-Za-z0-9])"],
  [
    "artifactory-key",
    "Artifactory keys",
    "akcp cmvmdgtu",
    "\\b(?:AKCp[A-Za-z0-9]{50,80}|cmVmdGtu[A-Za-z0-9+/=]{30,100})",
  ],
  // Tools that plan, build, test and watch.
  ["circleci-token", "CircleCI tokens", "ccipat_ ccipr_", "ccip(?:at|r)_[A-Za-z0-9_]{30,100}"],
  ["buildkite-token", "Buildkite tokens", "bkua_", "bkua_[a-f0-9]{40}"],
  ["sonar-token", "Sonar tokens", "sqp_ squ_ sqa_", "sq[pua]_[a-f0-9]{40}"],
  ["postman-key", "Postman keys", "pmak-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"],
  ["linear-key", "Linear keys", "lin_api_ lin_oauth_", "lin_(?:api|oauth)_[A-Za-z0-9]{30,80}"],
  [
    "figma-token",
    "Figma tokens",
    "figd_ figo_ figu_",
    "\\bfig[dou]_[A-Za-z0-9_-]{30,80}|figd_[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])",
  ],
  [
    "notion-token",
    "Notion tokens",
    "ntn_ secret_",
    "(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9_])",
    hasDigit,
  ],
  ["airtable-token", "Airtable tokens", "pat", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}(?![A-Za-z0-9])"],
  ["launchdarkly-key", "LaunchDarkly keys", "sdk- api- mob-", `\\b(?:sdk|api|mob)-${UUID}`],
  ["grafana-token", "Grafana tokens", "glc_ glsa_", "gl(?:c|sa)_[A-Za-z0-9+/=_-]{30,400}"],
  ["newrelic-key", "New Relic keys", "nrak- nrii- nrjs- nrra-", "NR(?:AK|II|JS|RA)-[A-Za-z0-9_-]{19,60}"],
  ["sentry-token", "Sentry tokens", "sntrys_ sntryu_ sntryi_", "sntry[sui]_[A-Za-z0-9+/=_.-]{30,400}"],
  {
    id: "sentry-dsn",
    what: "Keys in Sentry DSNs",
    keywords: ["://"],
    pattern: /:\/\/([0-9a-f]{32})(?::[0-9a-f]{32})?@[A-Za-z0-9.-]{3,100}\/\d/dy,
  },
  ["dynatrace-token", "Dynatrace tokens", "dt0c01. dt0s01.", "dt0[cs]01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
  ["okta-token", "Okta API tokens after SSWS", "ssws", "\\bSSWS[ \\t]{1,4}([A-Za-z0-9_-]{30,60})"],
  ["contentful-token", "Contentful tokens", "cfpat-", "CFPAT-[A-Za-z0-9_-]{40,60}"],
  ["typeform-token", "Typeform tokens", "tfp_", "\\btfp_[A-Za-z0-9_.-]{40,80}", hasDigit],
  // Model providers.
  ["anthropic-key", "Anthropic keys", "sk-ant-", "sk-ant-[A-Za-z0-9_-]{8,200}"],
  [
    "openai-key",
    "OpenAI keys and the many that begin alike (OpenRouter, DeepSeek, Langfuse)",
    "sk-",
    "(?:\\bsk-|sk-(?:proj|svcacct|admin|or-v1|lf)-|sk-(?=[A-Za-z0-9]{20}T3BlbkFJ))[A-Za-z0-9_-]{16,200}",
    hasDigit,
  ],
  [
    "huggingface-token",
    "Hugging Face tokens",
    "hf_ api_org_",
    "(?:\\bhf_[A-Za-z0-9]{20,60}|hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])|api_org_[A-Za-z0-9]{30,50})",
    hasUpperAndLower,
  ],
  ["groq-key", "Groq keys", "gsk_", "gsk_[A-Za-z0-9]{20,100}"],
  ["xai-key", "xAI keys", "xai-", "xai-[A-Za-z0-9]{30,120}"],
  ["perplexity-key", "Perplexity keys", "pplx-", "pplx-[A-Za-z0-9]{30,80}"],
  ["replicate-token", "Replicate tokens", "r8_", "\\br8_[A-Za-z0-9]{30,50}|r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])"],
  ["fireworks-key", "Fireworks keys", "fw_", "\\bfw_[A-Za-z0-9]{20,40}(?![A-Za-z0-9_])", hasUpperLowerDigit],
  ["langsmith-key", "LangSmith keys", "lsv2_", "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"],
  ["pinecone-key", "Pinecone keys", "pcsk_", "pcsk_[A-Za-z0-9_]{40,100}"],
  ["nvidia-key", "NVIDIA keys", "nvapi-", "nvapi-[A-Za-z0-9_-]{40,100}", hasDigit],
  ["jina-key", "Jina keys", "jina_", "jina_[A-Za-z0-9_-]{40,100}", hasDigit],
  ["tavily-key", "Tavily keys", "tvly-", "tvly-[A-Za-z0-9-]{20,60}", hasDigit],
  // Messaging and mail.
  ["slack-token", "Slack tokens", "xox xapp-", "(?:xox[abeoprs](?:\\.xox[bp])?|\\bxapp)-[A-Za-z0-9-]{10,250}"],
  [
    "slack-webhook",
    "Slack webhooks",
    "hooks.slack.com",
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,120})",
  ],
  {
    id: "discord-webhook",
    what: "Discord webhooks",
    keywords: ["/api/webhooks/"],
    pattern: /\/api\/webhooks\/\d{15,22}\/([A-Za-z0-9_-]{40,100})/dy,
  },
  {
    id: "discord-bot-token",
    what: "Discord bot tokens, which begin with a number in base64",
    keywords: DISCORD_STARTS,
    pattern: /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/dy,
    accepts: hasUpperLowerDigit,
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
    pattern: /\d{8,12}:AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])/dy,
  },
  [
    "sendgrid-key",
    "SendGrid keys",
    "sg.",
    "(?:\\bSG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}|SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43})",
  ],
  ["mailgun-key", "Mailgun keys", "key-", "\\bkey-[a-f0-9]{32}(?![A-Za-z0-9])"],
  {
    id: "mailchimp-key",
    what: "Mailchimp keys",
    keywords: ["-us"],
    behind: /[0-9a-f]/,
    pattern: /[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9-])/dy,
  },
  ["brevo-key", "Brevo keys", "xkeysib- xsmtpsib-", "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"],
  ["resend-key", "Resend keys", "re_", "\\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9_])", hasUpperLowerDigit],
  ["twilio-key", "Twilio API key ids", "sk", "\\bSK[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["hubspot-token", "HubSpot tokens", "pat-", "\\bpat-[a-z]{2}\\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"],
  // Payment and shops.
  [
    "stripe-key",
    "Stripe keys and webhook secrets",
    "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
    "(?:(?:sk|rk)_(?:live|test)_|whsec_)[A-Za-z0-9+/]{10,250}",
    hasDigit,
  ],
  ["shopify-token", "Shopify tokens", "shpat_ shpca_ shppa_ shpss_", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"],
  [
    "square-token",
    "Square tokens",
    "sq0 eaaa",
    "(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,50}|\\bEAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-]))",
  ],
  [
    "paypal-braintree-token",
    "Braintree tokens",
    "access_token$",
    "access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}",
  ],
  ["razorpay-key", "Razorpay key ids", "rzp_live_ rzp_test_", "rzp_(?:live|test)_[A-Za-z0-9]{14,30}"],
  [
    "plaid-token",
    "Plaid tokens",
    "access-production- access-sandbox-",
    "access-(?:production|sandbox)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  ],
  ["flutterwave-key", "Flutterwave keys", "flwseck", "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,50}(?:-X)?"],
  ["facebook-token", "Facebook tokens", "eaac eaab", "\\bEAA[BC][A-Za-z0-9]{80,400}"],
  ["dropbox-token", "Dropbox tokens", "sl.", "\\bsl\\.(?:u\\.)?[A-Za-z0-9_-]{100,1500}", hasLetterAndDigit],
  ["mapbox-token", "Mapbox secret tokens", "sk.ey", "sk\\.ey[A-Za-z0-9_-]{40,400}\\.[A-Za-z0-9_-]{16,60}"],
];

function hasUpperAndLower(secret: string): boolean {
  return /[A-Z]/.test(secret.slice(3)) && /[a-z]/.test(secret.slice(3));
}

function hasUpperLowerDigit(secret: string): boolean {
  return hasUpperAndLower(secret) && hasDigit(secret);
}
