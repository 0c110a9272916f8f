// Deals out the steps of a script, one per call. What a step does is decided by who plays it.

/** Steps in order, or a function of the call and its number (1-based). */
export type Script<Step, Call> = readonly Step[] | ((call: Call, number: number) => Step | Promise<Step>);

/** `repeat` plays the last step again and again, `fail` makes every further call an error. */
export type WhenOver = "repeat" | "fail";

/** Undefined when the script is over. */
export function createScriptReader<Step, Call>(
  script: Script<Step, Call>,
  whenOver: WhenOver,
): (call: Call) => Promise<Step | undefined> {
  let number = 0;
  return async (call) => {
    number++;
    if (typeof script === "function") return script(call, number);
    return script[number - 1] ?? (whenOver === "repeat" ? script.at(-1) : undefined);
  };
}
