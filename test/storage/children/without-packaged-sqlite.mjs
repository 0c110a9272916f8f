// Loaded before a program, it makes the optional package one that was never installed.
import { register } from "node:module";

const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === "@photostructure/sqlite") throw Object.assign(new Error("not found"), { code: "ERR_MODULE_NOT_FOUND" });
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
