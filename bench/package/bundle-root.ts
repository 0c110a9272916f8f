// The root entry as a user's bundler makes it: everything that it can ever load, minified, and the rank tables beside it.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

export interface BundledRoot {
  readonly code: number;
  readonly o200k: number;
  /** Of the code and both rank tables. */
  readonly gzip: number;
}

/** Peers and native modules stay outside, as in any bundle for Node. */
export async function bundleRoot(): Promise<BundledRoot> {
  const isOutside = (id: string) => !id.startsWith(".") && !id.startsWith("/") && !/^(?:croner|yaml|zod)/.test(id);
  const bundle = await rolldown({ input: "dist/index.js", platform: "node", external: isOutside });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  const code = output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  const [o200k, cl100k] = ["o200k_base", "cl100k_base"].map((name) => readFileSync(`dist/ranks/${name}.ranks`));
  if (o200k === undefined || cl100k === undefined) throw new Error("No rank tables in dist/: run npm run build");
  const gzip = [Buffer.from(code), o200k, cl100k].reduce((sum, part) => sum + gzipSync(part, { level: 9 }).length, 0);
  return { code: Buffer.byteLength(code), o200k: o200k.length, gzip };
}
