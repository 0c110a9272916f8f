// Tokens of code hosts, package registries and the tools around them.
import { hasDigit, type ShapeRule, token } from "./shape-rule.ts";

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
