// The contract of an operation: something that a client may do with a memory, described once. JSON-RPC serves the methods of
// a decision log as they stand (decisions/methods.ts); an MCP tool adds what a model reads (mcp/tool.ts).
import type * as z from "zod";

export interface Operation<Params extends z.ZodObject = z.ZodObject, Result extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** What it does and when to call it: what a model chooses by. */
  readonly description: string;
  /** Strict types, each with a description; what clients write differently is read before (read-parameters.ts). */
  readonly params: Params;
  readonly result: Result;
  /** Other names under which a parameter may arrive, by its own. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that take no text in place of a number or a boolean. */
  readonly exact?: readonly string[];
  readonly hints: { readonly isReadOnly: boolean; readonly isDestructive: boolean; readonly isIdempotent: boolean };
}
