// Two bars that show one size beside another.
import type { Colors } from "../terminal.ts";
import { figure } from "./table.ts";

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** `size` as a bar of up to `width` cells, where `most` fills them all. Anything above nothing shows. */
export function bar(size: number, most: number, width: number): string {
  const eighths = most <= 0 ? 0 : Math.max(size > 0 ? 1 : 0, Math.round((size / most) * width * 8));
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
}

/** Before and after, one line each. */
export function renderBars(before: number, after: number, width: number, colors: Colors): readonly string[] {
  const most = Math.max(before, after);
  const digits = Math.max(figure(before).length, figure(after).length);
  const line = (name: string, size: number, paint: (text: string) => string) =>
    `  ${name}  ${figure(size).padStart(digits)}  ${paint(bar(size, most, width))}`;
  return [line("before", before, colors.dim), line("after ", after, colors.green)];
}
