// The figures as Markdown tables. Ratios are against the first row: how many times as long the others take.
import { type Figure, median, numbersOf } from "./processes.ts";

export type ByPeer = ReadonlyMap<string, readonly Figure[]>;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

function milliseconds(value: number): string {
  return Number.isNaN(value) ? "-" : `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en")} ms`;
}

export function coldTable(cold: ByPeer): string {
  const ours = median(numbersOf([...cold.values()][0] ?? [], "ms"));
  const rows = [...cold].map(([peer, figures]) => {
    const total = median(numbersOf(figures, "ms"));
    const load = median(numbersOf(figures, "load"));
    const tokens = Number(figures[0]?.tokens ?? Number.NaN).toLocaleString("en");
    return [peer, tokens, milliseconds(load), milliseconds(total), `${(total / ours).toFixed(1)}x`];
  });
  return table(["counter", "tokens", "load", "load and count", "time against ours"], rows);
}

export function steadyTable(steady: ByPeer): string {
  const speedOf = (figures: readonly Figure[]): number =>
    median(figures.map(({ tokens, ms }) => Number(tokens) / Number(ms) / 1_000));
  const ours = speedOf([...steady.values()][0] ?? []);
  const rows = [...steady].map(([peer, figures]) => {
    const speed = speedOf(figures);
    return [peer, `${speed.toFixed(1)} million tokens a second`, `${(ours / speed).toFixed(1)}x`];
  });
  return table(["counter", "speed", "time against ours"], rows);
}

export function hostileTable(hostile: ByPeer): string {
  const names = ([...hostile.values()][0] ?? []).map(({ name }) => String(name));
  const rows = names.map((name) => [
    name,
    ...[...hostile.values()].map((figures) => hostileCell(figures.find((figure) => figure.name === name))),
  ]);
  return table(["text", ...hostile.keys()], rows);
}

function hostileCell(figure: Figure | undefined): string {
  if (figure === undefined) return "over a minute";
  if (figure.threw === true) return "throws";
  const single = Number(figure.single);
  return `${bytesOf(Number(figure.bytes))}: ${milliseconds(single)}, doubled x${(Number(figure.double) / single).toFixed(1)}`;
}

function bytesOf(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e3).toFixed(0)} KB`;
}

export function turnsTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, tokens, ms, gap }) => [
    String(name),
    Number(tokens).toLocaleString("en"),
    milliseconds(Number(ms)),
    milliseconds(Number(gap)),
  ]);
  return table(["messages", "tokens", "countMessagesAsync", "longest gap of the event loop"], rows);
}

export function appendedTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ size, first, again }) => [
    Number(size).toLocaleString("en"),
    milliseconds(Number(first)),
    milliseconds(Number(again)),
  ]);
  return table(["messages", "first count", "again, one message appended (p50)"], rows);
}
