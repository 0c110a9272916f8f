// Failures that are no errors of the work: looking for what is not there, being told to read a file first, being
// stopped by the user.
import { hasWord, toolWords } from "../calls/tool-names.ts";

const LOOKED_IN_VAIN =
  /^(?:<tool_use_error>)?(?:error: )?(?:file (?:does not exist|not found|has not been read yet|has been modified since read)|\(eval\):cd:|.{0,40}\bcd: |(?:cat|ls|grep|sed|head|tail|find|stat): .{0,300}no such file|no (?:files|matches|results) found|ENOENT: no such file)/i;
const STOPPED =
  /^(?:<tool_use_error>)?(?:the user (?:doesn't|does not|denied|rejected|declined)|\[?request interrupted|sibling tool call errored|.{0,60}(?:permission to use|was rejected by the user)|command aborted|interrupted by|operation aborted|inputvalidationerror)|\[setup failed\]$/i;

/** Tools that look at things: that they found nothing, or were asked wrongly, leaves nothing to mend. */
const LOOKING = new Set("read grep glob ls list search find view".split(" "));

export function isLookingTool(name: string): boolean {
  return hasWord(toolWords(name), LOOKING);
}

export function isNoise(text: string): boolean {
  return LOOKED_IN_VAIN.test(text) || STOPPED.test(text);
}
