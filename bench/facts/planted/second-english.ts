// A second forty in English, written without a look at the phrases that the first forty were tuned with: relative
// clauses, passives, tables, lists, pasted settings, corrections in passing, prohibitions in unusual words.
import { explicit, implicit, prohibition, superseded, type Template } from "./planted-fact.ts";

export const SECOND_ENGLISH: readonly Template[] = [
  explicit(
    "user",
    "The mail queue, which listens on {host}, belongs to another team.",
    ["queue", "{host}"],
    "mail queue",
  ),
  explicit(
    "assistant",
    "The nightly reports are written to {bucket} by a job of ours.",
    ["reports", "{bucket}"],
    "nightly reports",
  ),
  explicit(
    "user",
    "These are the settings:\n\n| setting | value |\n|---|---|\n| poolSize | {n} |\n| area | {region} |",
    ["poolSize", "{n}"],
    "poolSize",
  ),
  explicit(
    "user",
    "What we know so far:\n- idle timeout: {ms}\n- owner: {person}",
    ["idle timeout", "{ms}"],
    "idle timeout",
  ),
  explicit(
    "user",
    "I start it like this:\n```sh\nexport LEDGER_SHARD_COUNT={m}\n./run.sh\n```",
    ["LEDGER_SHARD_COUNT", "{m}"],
    "LEDGER_SHARD_COUNT",
  ),
  explicit("tool", '{ "scheduler": { "maxLag": {m}, "mode": "strict" } }', ["maxLag", "{m}"], "maxLag"),
  explicit(
    "user",
    "Here is the file:\n```yaml\nretention:\n  keepDays: {n}\n  store: {bucket}\n```",
    ["keepDays", "{n}"],
    "keepDays",
  ),
  explicit("assistant", "The freezer sits at -{n} °C, as the probe shows.", ["freezer", "-{n} °C"], "freezer probe"),
  explicit(
    "user",
    "The person to ask about billing is {person}, who runs the finance desk.",
    ["{person}", "billing"],
    "billing finance",
  ),
  explicit("assistant", "{person} signs off on every schema change.", ["{person}", "schema"], "schema change"),
  explicit(
    "user",
    "We have to hand this in by the last Friday of October.",
    ["last Friday of October"],
    "hand this in",
  ),
  explicit("assistant", "The crash was introduced by commit {hash}.", ["{hash}"], "crash introduced commit"),
  explicit("assistant", "That limit is enforced in {path}, around line {line}.", ["{path}"], "limit enforced"),
  explicit("tool", "ready, callbacks are received on {url}", ["{url}"], "callbacks received"),
  explicit("assistant", "Invoices above {money} are checked twice.", ["Invoices", "{money}"], "invoices checked twice"),
  explicit("assistant", "The record that we keep coming back to is {uuid}.", ["{uuid}"], "record coming back"),

  superseded("The gateway port is {oldport}.", "user", "No wait, make that gateway port {nowport}.", "gateway", [
    "{oldport}",
    "{nowport}",
  ]),
  superseded(
    "The batch size should be {old}.",
    "assistant",
    "I switched the batch size from {old} to {now}.",
    "batch size",
    ["{old}", "{now}"],
  ),
  superseded("We run {old} crawlers.", "user", "Correction: {now} crawlers, not {old}.", "crawlers", [
    "{old}",
    "{now}",
  ]),
  superseded(
    "It runs with this:\n```yaml\ncacheTtl: {old}\n```",
    "user",
    "Well, cacheTtl turned out to need {now}.",
    "cacheTtl",
    ["{old}", "{now}"],
  ),
  superseded(
    "Our release date is {olddate}.",
    "assistant",
    "The release date has been moved to {nowdate}.",
    "release date",
    ["{olddate}", "{nowdate}"],
  ),
  superseded(
    "The standby database lives at {oldhost}.",
    "assistant",
    "The standby database was relocated to {nowhost}.",
    "standby database",
    ["{oldhost}", "{nowhost}"],
  ),
  superseded(
    "I start it with:\nexport LEDGER_MAX_RETRIES={old}",
    "user",
    "That did not do, I start it with:\nexport LEDGER_MAX_RETRIES={now}",
    "LEDGER_MAX_RETRIES",
    ["{old}", "{now}"],
  ),
  superseded(
    "The canary share is {old} percent.",
    "assistant",
    "We ended up with {now} percent for the canary share.",
    "canary share",
    ["{old}", "{now}"],
  ),

  prohibition(
    "Under no circumstances may anyone drop the table {table}.",
    "Under no circumstances may anyone drop the table {table}",
    "drop table",
  ),
  prohibition("The branch {branch} is off limits.", "{branch} is off limits", "off limits"),
  prohibition("Hands off {table}, please.", "Hands off {table}", "hands off"),
  prohibition("Leave {path} alone.", "Leave {path} alone", "leave alone"),
  prohibition("The content of {bucket} must stay as it is.", "{bucket} must stay as it is", "stay as it is"),
  prohibition(
    "I do not want anyone running migrations on {host}.",
    "I do not want anyone running migrations on {host}",
    "running migrations",
  ),
  prohibition(
    "Nobody is to change {flag} without asking me.",
    "Nobody is to change {flag} without asking me",
    "change without asking",
  ),
  prohibition("Calling {url} by hand is a no-go.", "Calling {url} by hand is a no-go", "by hand no-go"),

  implicit(
    "assistant",
    "It only stopped timing out once I raised the read timeout to {ms}.",
    ["{ms}"],
    "read timeout timing out",
  ),
  implicit("assistant", "The build turned out to need {version} of the compiler.", ["{version}"], "build compiler"),
  implicit("assistant", "With fewer than {m} rows a page the import keeps dying.", ["{m}"], "import keeps dying"),
  implicit(
    "user",
    "It seems the upload breaks as soon as a file is bigger than {n} MB.",
    ["{n} MB"],
    "upload breaks bigger",
  ),
  implicit("assistant", "After the load test we ended up with {n} replicas.", ["{n} replicas"], "load test replicas"),
  implicit("assistant", "What finally helped was passing {flag} to the linker.", ["{flag}"], "linker helped"),
  implicit("tool", "warning: no quota left, falling back to region {region}", ["{region}"], "falling back region"),
  implicit("assistant", "The flaky test passes with seed {m} and with no other.", ["{m}"], "flaky test seed"),
];
