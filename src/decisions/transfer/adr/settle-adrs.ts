// Ids and references of the ADRs that are read together: files of one name in several folders get their folder's name as
// well, and "superseded by ADR-0012" finds the record that it speaks of.
import type { FoundRecord } from "../decision-source.ts";
import { type FoundAdr, parentsOf, stemOf } from "./adr-records.ts";
import type { AdrReference } from "./adr-status.ts";

export function settleAdrs(adrs: readonly FoundAdr[]): readonly FoundRecord[] {
  const ids = settleIds(adrs);
  const byPath = new Map(adrs.map(({ file }) => [partsOf(file).join("/"), ids.get(file) ?? ""]));
  const byNumber = groupBy(adrs, ({ file }) => numberOf(stemOf(file)));
  const byStem = groupBy(adrs, ({ file }) => stemOf(file).toLowerCase());
  const only = (found: readonly FoundAdr[] | undefined, from: FoundAdr) => {
    const others = found?.filter((adr) => adr !== from) ?? [];
    const near = others.filter((adr) => parentsOf(adr.file).join("/") === parentsOf(from.file).join("/"));
    const [one, another] = near.length > 0 ? near : others;
    return one === undefined || another !== undefined ? undefined : ids.get(one.file);
  };
  const resolve = (reference: AdrReference, from: FoundAdr): string => {
    const path = reference.path?.split(/[#?]/)[0] ?? "";
    const linked = path === "" ? undefined : byPath.get(joined(from.file, path));
    const stem = path === "" ? reference.words : stemOf(path);
    const named = linked ?? only(byStem.get(stem.toLowerCase()), from);
    if (named !== undefined) return named;
    if (path !== "" && /\.mdx?$/i.test(path)) return stem;
    return (reference.number === undefined ? undefined : only(byNumber.get(String(reference.number)), from)) ?? stem;
  };
  return adrs.map((adr) => {
    const { supersededBy, supersedes } = adr.standing;
    const raw = {
      ...adr.raw,
      id: ids.get(adr.file) ?? adr.raw.id,
      ...(supersededBy === undefined ? {} : { superseded_by: resolve(supersededBy, adr) }),
      ...(supersedes.length === 0 ? {} : { supersedes: [...new Set(supersedes.map((other) => resolve(other, adr)))] }),
    };
    return { raw, file: adr.file };
  });
}

/** By file. Of files with one stem each gets the nearest folder by which they all differ, or its whole path. */
function settleIds(adrs: readonly FoundAdr[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [id, group] of groupBy(adrs, ({ raw }) => String(raw.id))) {
    const names = namesApart(
      id,
      group.map(({ file }) => parentsOf(file)),
    );
    for (const [at, { file }] of group.entries()) ids.set(file, names[at] ?? id);
  }
  return ids;
}

function namesApart(id: string, folders: readonly (readonly string[])[]): readonly string[] {
  if (folders.length === 1) return [id];
  const depth = Math.max(...folders.map((parents) => parents.length));
  for (let above = 1; above <= depth; above += 1) {
    const names = folders.map((parents) => [parents.at(-above), id].filter((part) => part !== undefined).join("-"));
    if (new Set(names).size === names.length) return names;
  }
  return folders.map((parents) => [...parents, id].join("-"));
}

function numberOf(stem: string): string | undefined {
  const digits = /^(?:adr|rfc)?[-_ ]?0{0,6}(\d{1,6})(?!\d)/i.exec(stem)?.[1];
  return digits === undefined ? undefined : String(Number(digits));
}

function joined(file: string, path: string): string {
  const parts = path.startsWith("/") ? [] : [...partsOf(file).slice(0, -1)];
  for (const part of path.split(/[/\\]/)) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function partsOf(file: string): readonly string[] {
  return file.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
}

function groupBy(
  adrs: readonly FoundAdr[],
  keyOf: (adr: FoundAdr) => string | undefined,
): ReadonlyMap<string, FoundAdr[]> {
  const groups = new Map<string, FoundAdr[]>();
  for (const adr of adrs) {
    const key = keyOf(adr);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [adr]);
    else group.push(adr);
  }
  return groups;
}
