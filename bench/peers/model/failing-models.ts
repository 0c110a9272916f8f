// The same model on a bad day, one way at a time.
import type { PeerModel } from "../peer.ts";
import { generousModel } from "./generous-model.ts";

export const FAULTS = ["throws", "empty", "refuses", "inflates", "invents"] as const;
export type Fault = (typeof FAULTS)[number];

export const REFUSAL = "I'm sorry, but I can't help with that request.";
export const OVERLOADED = "The model is overloaded. Please try again later.";
export const PADDING = "The user and the assistant then went on to discuss the matter at considerable length.";
/** Nobody said any of these. */
export const INVENTED: readonly string[] = Array.from(
  { length: 12 },
  (_, at) =>
    [`src/phantom/ghost_module_${at}.ts`, `https://phantom-${at}.example/never/was`, `deadfa11${at}c0ffee${at}`][
      at % 3
    ] ?? "",
);
const MOST_UNITS = 400_000;

export function failingModel(fault: Fault): PeerModel {
  switch (fault) {
    case "throws":
      return async () => {
        throw Object.assign(new Error(`503 ${OVERLOADED}`), { status: 503 });
      };
    case "empty":
      return async () => "";
    case "refuses":
      return async () => REFUSAL;
    case "inflates":
      return async ({ prompt }) => {
        const units = Math.min(MOST_UNITS, prompt.length * 2);
        return `${PADDING} `.repeat(Math.ceil(units / PADDING.length));
      };
    case "invents":
      return async (request) => {
        const lines = INVENTED.map((name) => `- The fix is in ${name}, as the user asked.`);
        return ["## Key files", ...lines, await generousModel(request)].join("\n");
      };
  }
}
