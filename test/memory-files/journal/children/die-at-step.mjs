// Loaded before a program: kills it before the step of that number, in that folder.
import { countSteps } from "../count-steps.mjs";

let left = Number(process.env.DIE_AT_STEP);
countSteps(process.env.DIE_IN_FOLDER ?? "", () => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
});
