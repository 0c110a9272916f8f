// Issues as decisions: what was to be done is what was decided, and closing is the review. Nothing is made up: an issue
// that was closed has an outcome only where its tracker says which.
import { isMap, text as textOf, textOrNumber } from "../../reading/field-values.ts";
import type { DecisionFile, FileReading, FoundRecord, SourceFault } from "../decision-source.ts";
import { type JsonItem, readJsonItems } from "../json-values.ts";
import { type IssueLink, linksOf, placeLinks } from "./issue-links.ts";
import { recordOfIssue } from "./issue-record.ts";

export function readIssueRecords(file: DecisionFile): FileReading {
  const { items, faults: broken } = readJsonItems(file.text);
  const faults: SourceFault[] = broken.map(({ line, isTorn }) => brokenLine(file.name, line, isTorn));
  const found: FoundRecord[] = [];
  const links: IssueLink[] = [];
  for (const item of items) {
    const record = readItem(item, file.name, faults);
    if (record === undefined) continue;
    found.push(record);
    links.push(...linksOf(item.value, String(record.raw.id)));
  }
  return { found: placeLinks(found, links), faults };
}

function readItem({ value, line }: JsonItem, name: string, faults: SourceFault[]): FoundRecord | undefined {
  const reject = (what: string) => {
    faults.push({ id: name, code: "UNREADABLE_RECORD", message: `Line ${line} of ${name}: ${what}` });
    return undefined;
  };
  if (!isMap(value)) return reject("it is no issue but another kind of value.");
  if (textOrNumber(value.id) === undefined && textOrNumber(value.number) === undefined) {
    return reject("the issue has neither id nor number.");
  }
  if (textOf(value.title) === undefined) return reject("the issue has no title.");
  return { raw: recordOfIssue(value), file: name, line };
}

function brokenLine(name: string, line: number, isTorn: boolean): SourceFault {
  return isTorn
    ? { id: name, code: "TORN_LINE", message: `Line ${line} of ${name} ends in the middle of a value.` }
    : { id: name, code: "UNREADABLE_LINE", message: `Line ${line} of ${name} is no JSON.` };
}
