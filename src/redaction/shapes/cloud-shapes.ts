// Keys of clouds and of the platforms that run code and keep its secrets.
import { hasDigit, hasLetterAndDigit, type ShapeRule, token } from "./shape-rule.ts";

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
