// `npm run bench:redaction`: how much of what is planted goes, how much of real transcripts goes that should not, and
// how fast. Writes docs/reference/redaction.md; without AGENT_CORPUS, or with SEED, it prints.
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { createFinder, createRedactor } from "../../src/redaction/redactor.ts";
import { HELD_OUT, KNOWN_SINCE } from "./carriers/held-out.ts";
import { carriedSecrets } from "./carriers.ts";
import { coveredTables } from "./covered.ts";
import { faultOf, LEVELS } from "./judge.ts";
import { personalSamples } from "./personal-samples.ts";
import { seededRandom } from "./random.ts";
import { countFalseFinds, type FalseFinds, realTexts } from "./real-lines.ts";
import { plantedSamples } from "./samples.ts";
import { measureGrowth, measureSpeed } from "./speed.ts";

function foundOf(carriers: typeof HELD_OUT): { readonly found: string; readonly missed: readonly string[] } {
  const held = carriedSecrets(seededRandom(seed), carriers);
  const missed = held.filter((sample) => faultOf(sample, redactor.text(sample.text)) !== undefined);
  return {
    found: `${held.length - missed.length} of ${held.length}`,
    missed: missed.map(({ surroundings }) => surroundings),
  };
}

const seed = Number(process.env.SEED ?? 20_260_101);
const MOST_PERSONAL = 30;
const redactor = createRedactor();
const samples = plantedSamples(seed);
const levels = Object.keys(LEVELS);
const faults = samples.flatMap((sample) =>
  Object.entries(LEVELS).flatMap(([level, redact]) => {
    const fault = faultOf(sample, redact(sample.text, redactor));
    return fault === undefined
      ? []
      : [{ kind: sample.kind, level, line: `${sample.kind}, ${sample.surroundings}, ${level}: ${fault}` }];
  }),
);
for (const { line } of faults) console.log(line);

const [heldOut, knownSince] = [foundOf(HELD_OUT), foundOf(KNOWN_SINCE)];

const personal = personalSamples(seed);
const withPersonal = createRedactor({ pii: true });
const missed = personal.filter(({ text, detail }) => withPersonal.text(text).includes(detail));
for (const { kind, text } of missed) console.log(`${kind}: ${text}`);

const texts = realTexts();
const finds = countFalseFinds(texts, createFinder({}));
const everyFind = createFinder({ pii: true });
const ownFind = createFinder({});
const personalFinds = countFalseFinds(texts, (text) => {
  const own = new Set(ownFind(text).map(({ rule, start }) => `${rule}${start}`));
  return everyFind(text).filter(({ rule, start }) => !own.has(`${rule}${start}`));
});
for (const shape of [...finds.shapes, ...personalFinds.shapes.slice(0, MOST_PERSONAL)]) console.log(shape);
const speed = measureSpeed(texts.length > 0 ? texts : samples.map(({ text }) => text.repeat(50)), redactor);

const kinds = [...new Set(samples.map(({ kind }) => kind))];
const kindRow = (kind: string) => {
  const planted = samples.filter((sample) => sample.kind === kind);
  const cells = levels.map(
    (level) => planted.length - faults.filter((fault) => fault.kind === kind && fault.level === level).length,
  );
  return `| ${kind} | ${planted.length} | ${cells.join(" | ")} |`;
};
const personalRow = (kind: string) => {
  const planted = personal.filter((sample) => sample.kind === kind).length;
  return `| ${kind} | ${planted} | ${planted - missed.filter((sample) => sample.kind === kind).length} |`;
};
const falseTable = ({ lines, byRule }: FalseFinds) => {
  const count = [...byRule.values()].reduce((sum, each) => sum + each, 0);
  const rows = [...byRule].map(([rule, each]) => `| \`${rule}\` | ${each} |`).join("\n");
  const share = count === 0 ? "none" : `1 in ${Math.round(lines / count).toLocaleString("en")}`;
  return `${lines.toLocaleString("en")} lines, ${count} with a find: ${share}.${rows === "" ? "" : `\n\n| rule | lines |\n|---|---|\n${rows}`}`;
};
const tries = samples.length * levels.length;
const page = `# What redaction finds, and how fast

<!-- Written by \`npm run bench:redaction\`. -->

Secrets of known kinds, made by chance from a seed (${seed}) and planted in the surroundings where they stand in transcripts; real transcripts of coding agents, from which secrets had been taken before, so that every find there is a false one. Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, load ${(loadavg()[0] ?? 0).toFixed(1)}.

| | target | found |
|---|---|---|
| secrets planted | 150 in 40 kinds | ${samples.length} in ${kinds.length} kinds |
| of ${tries} (each in ${levels.length} forms), gone to the last six characters, with all around them kept | 100 % | ${((100 * (tries - faults.length)) / tries).toFixed(1)} % |
| carriers held out, found | | ${heldOut.found} |
| lines of real transcripts with a find | at most 1 in 10,000 | ${[...finds.byRule.values()].reduce((sum, each) => sum + each, 0)} in ${finds.lines.toLocaleString("en")} |
| MB in a second of the processor, over ${speed.megabytes.toFixed(1)} MB | 20 | ${speed.redaction.toFixed(0)} |
| the same with one plain expression for four names | | ${speed.plain.toFixed(0)}, ${(speed.plain / speed.redaction).toFixed(1)} times as fast |

The kinds and the rules were written by the same hand: 100 % says that nothing known is missed, not that nothing is.
How much of the unknown is found is told by the [carriers held out](#carriers-held-out): forms in which public pages, threads and manuals show passwords, in the order in which a search gave them.

## Rules

The mark is always \`<REDACTED>\`; the rule's id is for reports.

${coveredTables()}

## Planted secrets by kind

Found: as text, inside a line of JSON, inside JSON within JSON within JSON, and as a field of parsed data.

| kind | planted | ${levels.join(" | ")} |
|---|---|${levels.map(() => "---|").join("")}
${kinds.map(kindRow).join("\n")}

## Carriers held out

${heldOut.found} that were written down after the last change of a rule, of which the rules before them found 10. Not found: ${heldOut.missed.join("; ")}.

${knownSince.found} that were written down before the rules were changed, and known to who changed them; the rules before them found 6. Not found: ${knownSince.missed.join("; ")}.

## False finds in real transcripts

${falseTable(finds)}

## Hostile text

Best of five, milliseconds of the processor; a doubled text takes twice the time where that is linear.

| text | MB | ms | ms for a MB | doubled |
|---|---|---|---|---|
${measureGrowth(redactor)
  .map(
    ({ what, megabytes, milliseconds, doubled }) =>
      `| ${what} | ${megabytes.toFixed(1)} | ${milliseconds.toFixed(1)} | ${(milliseconds / megabytes).toFixed(0)} | ${doubled.toFixed(1)} |`,
  )
  .join("\n")}

A pattern of your own is tried on such text, made from the pattern itself, when the configuration is read; one that takes over 50 ms on 100 KB is refused with its place. Linear patterns take some 2 ms there and quadratic ones 200, so a slow machine gives the same answer. Trial and use have a hard limit beside that, of two seconds and one, which ends a match in its middle: a pattern that exceeds it is refused, and a text on which one runs away later is withheld as a whole.

## Personal details

With \`redaction.pii: true\`. Addresses of private networks, of this machine and for documentation stay, as do versions of four small numbers.

| kind | planted | found |
|---|---|---|
${[...new Set(personal.map(({ kind }) => kind))].map(personalRow).join("\n")}

In the same transcripts, where a find may well be a true one: ${falseTable(personalFinds)}
`;
if (texts.length > 0 && process.env.SEED === undefined) writeFileSync("docs/reference/redaction.md", page);
else console.log(page);
