import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompactManager } from "../src/index.ts";
import { OPENING, sessionTurns } from "./soak/session-turns.ts";
const root = mkdtempSync(join(tmpdir(), "zz-"));
const turns = sessionTurns(3, Number(process.env.T ?? 2000), Number(process.env.TOK ?? 1_000_000));
const manager = new CompactManager({ maxContextTokens: Number(process.env.W ?? 32000), archive: { path: root, compression: process.env.C ?? "none" } } as never);
let list = OPENING; let raw = 0;
const add = async (m: readonly unknown[]) => { if (m.length === 0) return; raw += m.reduce<number>((s, x) => s + Buffer.byteLength(JSON.stringify(x)) + 1, 0); list = await manager.preflight("s", [...list, ...m]); };
for (const { request, step, answer } of turns) { const t = [...request, ...step, ...answer]; await add(t); }
await manager.close?.();
const sizes: Record<string, number> = {}; let steps = 0;
for (const n of readdirSync(join(root, "s"))) { const k = n.replace(/[-.]\d+|\d+/g, ""); sizes[k] = (sizes[k] ?? 0) + statSync(join(root, "s", n)).size; if (n.startsWith("summary")) steps++; }
console.log(root, "steps", steps, "raw", raw); for (const [k, v] of Object.entries(sizes)) console.log(k, v, (v / raw).toFixed(3));
console.log("catalog", statSync(join(root, "catalog.jsonl")).size, statSync(join(root, "catalog.jsonl")).size / raw);
import { gunzipSync } from "node:zlib"; const ev = readdirSync(join(root, "s")).filter((n) => n.startsWith("events")).sort().flatMap((n) => { const b = readFileSync(join(root, "s", n)); return (n.endsWith(".gz") ? gunzipSync(b) : b).toString("utf8").trimEnd().split("\n"); }); console.log("events", ev.length);
const by: Record<string, [number, number]> = {}; for (const l of ev) { const e = JSON.parse(l); const x = (by[e.event] ??= [0, 0]); x[0]++; x[1] += l.length + 1; }
console.log(by); console.log("gz events", gzipSync(ev.join("\n")).length);
