// Holds the sources of src/ against the layer table and the rules of imports. Works on a map of texts,
// so that tests can show each rule failing.
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { implementationNames, type Layer, layers, portableEntries } from "./layers.ts";
import { type ImportFact, readSourceFacts, type SourceFacts } from "./source-facts.ts";
import type { FileMap } from "./source-files.ts";

/** One breach of a rule, as "path:line what is wrong". */
export type Violation = string;

interface ImportEdge extends ImportFact {
  readonly from: string;
  readonly to: string;
}

/** Checks the files of src/ (paths relative to it). An empty list means that every rule holds. */
export function checkLayers(sources: FileMap): Violation[] {
  const facts = new Map([...sources].map(([path, text]) => [path, readSourceFacts(path, text)]));
  const edges = [...facts].flatMap(([path, fact]) => relativeEdges(path, fact));
  return [
    ...unlistedMembers(sources),
    ...edges.flatMap((edge) => checkEdge(edge, sources)),
    ...findCycles(edges),
    ...findStaticBuiltins(facts, edges),
    ...[...facts].flatMap(([path, fact]) => checkStatements(path, fact)),
  ];
}

function relativeEdges(path: string, facts: SourceFacts): ImportEdge[] {
  return facts.imports
    .filter((fact) => fact.specifier.startsWith("."))
    .map((fact) => ({ ...fact, from: path, to: posix.normalize(posix.join(posix.dirname(path), fact.specifier)) }));
}

function memberOf(path: string): string {
  return path.split("/")[0] ?? path;
}

function layerOf(path: string): Layer | undefined {
  return layers.find((layer) => layer.members.includes(memberOf(path)));
}

function unlistedMembers(sources: FileMap): Violation[] {
  return [...sources.keys()]
    .filter((path) => layerOf(path) === undefined)
    .map((path) => `${path}:1 belongs to no layer: add "${memberOf(path)}" to scripts/layers.ts`);
}

function checkEdge(edge: ImportEdge, sources: FileMap): Violation[] {
  const place = `${edge.from}:${edge.line}`;
  if (edge.to.startsWith("..")) {
    // The one file outside that sources may read is the manifest, for the version.
    return edge.to === "../package.json" ? [] : [`${place} imports ${edge.to}, outside the sources`];
  }
  if (!sources.has(edge.to)) return [`${place} imports ${edge.to}, which does not exist`];
  const violations: Violation[] = [];
  if (posix.basename(edge.to) === "index.ts") violations.push(`${place} imports an index.ts: name the file itself`);
  if (!mayImport(edge.from, edge.to)) violations.push(`${place} may not import ${edge.to}: see scripts/layers.ts`);
  if (breaksContract(edge)) violations.push(`${place} imports the implementation ${edge.to}: take its contract`);
  return violations;
}

function mayImport(from: string, to: string): boolean {
  const fromLayer = layerOf(from);
  const toLayer = layerOf(to);
  if (fromLayer === undefined || toLayer === undefined || memberOf(from) === memberOf(to)) return true;
  if (fromLayer !== toLayer) return fromLayer.below.includes(toLayer.name);
  return fromLayer.within === "any" || (fromLayer.within[memberOf(from)] ?? []).includes(memberOf(to));
}

function breaksContract(edge: ImportEdge): boolean {
  if (memberOf(edge.from) === memberOf(edge.to)) return false;
  return (layerOf(edge.from)?.contractsOnly.includes(memberOf(edge.from)) ?? false) && isImplementation(edge.to);
}

function isImplementation(path: string): boolean {
  const name = posix.basename(path);
  return implementationNames.some(
    (names) => posix.dirname(path) === names.folder && name.endsWith(names.suffix) && name !== names.contract,
  );
}

/** Type imports count too: two files that need each other's types are one idea. Dynamic ones do not. */
function findCycles(edges: readonly ImportEdge[]): Violation[] {
  const targets = adjacency(edges.filter((edge) => edge.kind !== "dynamic"));
  const settled = new Set<string>();
  const cycles: Violation[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) {
      cycles.push(`${path}:1 import cycle: ${[...trail.slice(seenAt), path].join(" -> ")}`);
      return;
    }
    if (settled.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    settled.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return cycles;
}

function findStaticBuiltins(facts: ReadonlyMap<string, SourceFacts>, edges: readonly ImportEdge[]): Violation[] {
  const targets = adjacency(edges.filter((edge) => edge.kind === "static"));
  const reached = new Set<string>();
  const queue = portableEntries.filter((entry) => facts.has(entry));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    queue.push(...(targets.get(path) ?? []));
  }
  return [...reached].flatMap((path) =>
    (facts.get(path)?.imports ?? [])
      .filter((fact) => fact.kind === "static" && isBuiltin(fact.specifier))
      .map(
        (fact) => `${path}:${fact.line} imports ${fact.specifier} statically below a public entry: load it when used`,
      ),
  );
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

function adjacency(edges: readonly ImportEdge[]): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const edge of edges) targets.set(edge.from, [...(targets.get(edge.from) ?? []), edge.to]);
  return targets;
}

function checkStatements(path: string, facts: SourceFacts): Violation[] {
  const mayUseConsole = memberOf(path) === "cli" || path === "trace/console-sink.ts";
  const mayRun = path === "cli/main.ts";
  const at = (lines: readonly number[], problem: string) => lines.map((line) => `${path}:${line} ${problem}`);
  return [
    ...at(facts.defaultExportLines, "exports a default: use a name"),
    ...(mayUseConsole ? [] : at(facts.consoleLines, "uses console: only cli/ and the console sink may")),
    ...(memberOf(path) === "config" ? [] : at(facts.environmentLines, "reads process.env: only config/ may")),
    ...(mayRun ? [] : at(facts.topLevelActionLines, "does something at import time")),
  ];
}
