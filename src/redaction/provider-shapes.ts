// Keys of clouds and of the platforms that run code and keep its secrets.
import { hasDigit, hasLetterAndDigit, type ShapeRule, token } from "./shapes.ts";

export function cloudShapes(): readonly ShapeRule[] {
  return [
    token(
      "aws-access-key-id",
      "AWS access key ids",
      ["akia", "asia", "abia", "acca"],
      "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    token("aws-bedrock-key", "Amazon Bedrock keys", ["absk"], "ABSK[A-Za-z0-9+/]{40,400}={0,2}", hasDigit),
    token("google-api-key", "Google API keys, Firebase too", ["aiza"], "AIza[A-Za-z0-9_-]{30,60}"),
    token(
      "google-oauth",
      "Google OAuth tokens and client secrets",
      ["ya29.", "gocspx-", "1//0"],
      "(?:ya29\\.|GOCSPX-|1//0)[A-Za-z0-9_-]{20,400}",
    ),
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
      pattern: /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/dy,
    },
    {
      id: "signed-address",
      what: "Signatures in addresses: Azure SAS, AWS and Google signed URLs",
      keywords: ["sig=", "-signature="],
      behind: /[A-Za-z-]/,
      pattern: /(?<=[?&;"'\s])(?:sig|x-(?:amz|goog)-signature)=([A-Za-z0-9%+/=_-]{20,1200})/diy,
    },
    token("alibaba-access-key-id", "Alibaba Cloud access key ids", ["ltai"], "LTAI[A-Za-z0-9]{12,30}", hasDigit),
    token("tencent-secret-id", "Tencent Cloud secret ids", ["akid"], "AKID[A-Za-z0-9]{32,40}(?![A-Za-z0-9])", hasDigit),
  ];
}

/** Where code and its secrets are kept and run. */
export function platformShapes(): readonly ShapeRule[] {
  return [
    token("digitalocean-token", "DigitalOcean tokens", ["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[a-f0-9]{40,80}"),
    token("heroku-key", "Heroku API keys", ["hrku-"], "HRKU-[A-Za-z0-9_-]{30,80}"),
    token(
      "flyio-token",
      "Fly.io tokens",
      ["fo1_", "fm1r_", "fm2_"],
      "f(?:o1|m1r|m2)_[A-Za-z0-9+/=_-]{30,1000}",
      hasDigit,
    ),
    token("netlify-token", "Netlify tokens", ["nfp_", "nfc_"], "nf[pc]_[A-Za-z0-9]{30,60}"),
    token(
      "vercel-token",
      "Vercel tokens",
      ["vcp_", "vck_", "vercel_blob_rw_"],
      "(?:vc[pk]|vercel_blob_rw)_[A-Za-z0-9_]{20,100}",
    ),
    token("render-key", "Render API keys", ["rnd_"], "rnd_[A-Za-z0-9]{24,60}", hasDigit),
    token(
      "supabase-key",
      "Supabase tokens and secret keys",
      ["sbp_", "sb_secret_"],
      "(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})",
    ),
    token(
      "planetscale-token",
      "PlanetScale passwords and tokens",
      ["pscale_"],
      "pscale_(?:tkn|pw|oauth|app_secret)_[A-Za-z0-9_=.-]{24,100}",
    ),
    token(
      "databricks-token",
      "Databricks tokens",
      ["dapi", "dkea"],
      "d(?:api|kea)[a-f0-9]{32}(?:-\\d{1,2})?(?![A-Za-z0-9])",
    ),
    token("vault-token", "HashiCorp Vault tokens", ["hvs.", "hvb.", "hvr."], "hv[sbr]\\.[A-Za-z0-9_-]{20,300}"),
    {
      id: "terraform-cloud-token",
      what: "Terraform Cloud tokens",
      keywords: [".atlasv1."],
      behind: /[A-Za-z0-9]/,
      pattern: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,80}/dy,
    },
    token(
      "doppler-token",
      "Doppler tokens",
      ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
      "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,40}\\.)?[A-Za-z0-9]{40,60}",
    ),
    token("pulumi-token", "Pulumi tokens", ["pul-"], "pul-[a-f0-9]{40}(?![A-Za-z0-9])"),
    token("1password-token", "1Password service account tokens", ["ops_ey"], "ops_ey[A-Za-z0-9_=-]{100,2000}"),
    token(
      "ngrok-key",
      "ngrok API keys and tokens",
      ["ak_2", "cr_2"],
      "(?:ak|cr)_2[A-Za-z0-9]{26,30}(?:_[A-Za-z0-9]{20,30})?",
      hasLetterAndDigit,
    ),
  ];
}

// Tokens of code hosts, package registries and the tools around them.

export function developerShapes(): readonly ShapeRule[] {
  return [
    token("github-token", "GitHub tokens", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{20,255}"),
    token(
      "github-fine-grained-token",
      "GitHub fine-grained tokens",
      ["github_pat_"],
      "github_pat_[A-Za-z0-9_]{20,255}",
    ),
    token(
      "gitlab-token",
      "GitLab tokens: personal, deploy, runner, trigger, job, feed, agent",
      ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glimt-", "glagent-", "glsoat-", "gloas-", "glffct-"],
      "gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_.-]{16,300}",
    ),
    token(
      "gitlab-runner-registration",
      "GitLab runner registration tokens",
      ["gr1348941"],
      "GR1348941[A-Za-z0-9_-]{20,60}",
    ),
    token(
      "atlassian-token",
      "Atlassian and Bitbucket tokens",
      ["atatt3", "atctt3", "atbb"],
      "(?:AT[AC]TT3[A-Za-z0-9_=.-]{40,300}|ATBB[A-Za-z0-9]{28,40})",
    ),
    token("npm-token", "npm tokens", ["npm_"], "npm_[A-Za-z0-9]{30,60}"),
    token("pypi-token", "PyPI tokens", ["pypi-"], "pypi-[A-Za-z0-9_-]{40,300}"),
    token("docker-hub-token", "Docker Hub tokens", ["dckr_pat_", "dckr_oat_"], "dckr_[po]at_[A-Za-z0-9_-]{20,60}"),
    token("rubygems-key", "RubyGems keys", ["rubygems_"], "rubygems_[a-f0-9]{40,60}"),
    token("crates-io-token", "crates.io tokens", ["cio"], "cio[A-Za-z0-9]{32}(?![A-Za-z0-9_])", hasDigit),
    token("nuget-key", "NuGet keys", ["oy2"], "oy2[a-z0-9]{43}(?![A-Za-z0-9])"),
    token(
      "artifactory-key",
      "Artifactory keys",
      ["akcp", "cmvmdgtu"],
      "(?:AKCp[A-Za-z0-9]{50,80}|cmVmdGtu[A-Za-z0-9+/=]{30,100})",
    ),
  ];
}

/** Tools that plan, build, test and watch. */
export function toolShapes(): readonly ShapeRule[] {
  return [
    token("circleci-token", "CircleCI tokens", ["ccipat_", "ccipr_"], "ccip(?:at|r)_[A-Za-z0-9_]{30,100}"),
    token("buildkite-token", "Buildkite tokens", ["bkua_"], "bkua_[a-f0-9]{40}"),
    token("sonar-token", "Sonar tokens", ["sqp_", "squ_", "sqa_"], "sq[pua]_[a-f0-9]{40}"),
    token("postman-key", "Postman keys", ["pmak-"], "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    token("linear-key", "Linear keys", ["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_[A-Za-z0-9]{30,80}"),
    token("figma-token", "Figma tokens", ["figd_", "figo_", "figu_"], "fig[dou]_[A-Za-z0-9_-]{30,80}"),
    token(
      "notion-token",
      "Notion tokens",
      ["ntn_", "secret_"],
      "(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9_])",
      hasDigit,
    ),
    token("airtable-token", "Airtable tokens", ["pat"], "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}(?![A-Za-z0-9])"),
    token("launchdarkly-key", "LaunchDarkly keys", ["sdk-", "api-", "mob-"], `(?:sdk|api|mob)-${UUID}`),
    token("grafana-token", "Grafana tokens", ["glc_", "glsa_"], "gl(?:c|sa)_[A-Za-z0-9+/=_-]{30,400}"),
    token(
      "newrelic-key",
      "New Relic keys",
      ["nrak-", "nrii-", "nrjs-", "nrra-"],
      "NR(?:AK|II|JS|RA)-[A-Za-z0-9_-]{19,60}",
    ),
    token("sentry-token", "Sentry tokens", ["sntrys_", "sntryu_", "sntryi_"], "sntry[sui]_[A-Za-z0-9+/=_.-]{30,400}"),
    {
      id: "sentry-dsn",
      what: "Keys in Sentry DSNs",
      keywords: ["://"],
      pattern: /:\/\/([0-9a-f]{32})(?::[0-9a-f]{32})?@[A-Za-z0-9.-]{3,100}\/\d/dy,
    },
    token("dynatrace-token", "Dynatrace tokens", ["dt0c01.", "dt0s01."], "dt0[cs]01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
    token("okta-token", "Okta API tokens after SSWS", ["ssws"], "SSWS[ \\t]{1,4}([A-Za-z0-9_-]{30,60})"),
    token("contentful-token", "Contentful tokens", ["cfpat-"], "CFPAT-[A-Za-z0-9_-]{40,60}"),
    token("typeform-token", "Typeform tokens", ["tfp_"], "tfp_[A-Za-z0-9_.-]{40,80}", hasDigit),
  ];
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![A-Za-z0-9])";

// Tokens of model providers, of messaging and mail, of payment and shops.

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
