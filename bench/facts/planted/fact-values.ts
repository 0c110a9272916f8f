// Fills the places of a template: every fact of a session gets values of its own, which nothing else says.
import type { Random } from "../../../scripts/example-sessions/random.ts";
import type { Template } from "./planted-fact.ts";

export interface PlantedFact extends Template {
  /** A line with all of these that does not say "superseded" shows an outdated value as current. */
  readonly stale?: readonly string[];
}

/** Invented. */
const PEOPLE = ["Priya Raman", "Tomas Lindqvist", "Ines Okafor", "Mika Sandoval", "Odalys Brandt", "Yusuf Keller"];
const CJK_PEOPLE = ["王若岚", "陈亦舟", "林知夏"];
const WORDS = ["amber", "cobalt", "delta", "ember", "fjord", "granite", "harbor", "indigo", "juniper", "kestrel"];
const REGIONS = ["eu-central-9", "ap-southeast-7", "us-west-8"];

export function fillTemplate(template: Template, random: Random): PlantedFact {
  const values = drawValues(random);
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
  const { later } = template;
  return {
    ...template,
    say: fill(template.say),
    expect: template.expect.map(fill),
    query: fill(template.query),
    ...(later === undefined ? {} : { later: { ...later, say: fill(later.say) }, stale: later.old.map(fill) }),
  };
}

function drawValues(random: Random): Readonly<Record<string, string>> {
  const word = () => WORDS[random.whole(0, WORDS.length - 1)] ?? "amber";
  const one = (list: readonly string[]) => list[random.whole(0, list.length - 1)] ?? "";
  const port = () => String(random.whole(20_000, 59_999));
  const host = () => `${word()}-${random.whole(10, 99)}.internal:${port()}`;
  const old = random.whole(11, 49);
  const month = random.whole(1, 6);
  const date = (of: number) => `2031-${String(of).padStart(2, "0")}-${random.whole(10, 28)}`;
  return {
    port: port(),
    ticket: `OPS-${random.whole(10_000, 99_999)}`,
    region: one(REGIONS),
    date: `${date(month)} ${random.whole(10, 23)}:30 UTC`,
    path: `src/${word()}/${word()}_ledger_v${random.whole(2, 99)}.ts`,
    line: String(random.whole(100, 999)),
    bucket: `s3://acme-${word()}/${word()}-${random.whole(10, 99)}`,
    n: String(random.whole(13, 97)),
    m: String(random.whole(1001, 9998)),
    ms: `${random.whole(101, 899)}ms`,
    person: one(PEOPLE),
    cjkperson: one(CJK_PEOPLE),
    hash: `${random.hex(7)}a7`,
    host: host(),
    version: `v22.${random.whole(1, 30)}.${random.whole(1, 9)}`,
    flag: `--with-${word()}-${word()}`,
    url: `https://hooks.${word()}.example/v2/${random.hex(8)}`,
    money: `$${random.whole(1, 9)},${random.whole(100, 999)}`,
    uuid: random.uuid(),
    table: `${word()}_audit_${random.whole(10, 99)}`,
    branch: `release/${random.whole(10, 99)}.${random.whole(1, 9)}`,
    old: String(old),
    now: String(old + random.whole(11, 40)),
    oldhost: host(),
    nowhost: host(),
    olddate: date(month),
    nowdate: date(month + 6),
    oldport: port(),
    nowport: port(),
  };
}
