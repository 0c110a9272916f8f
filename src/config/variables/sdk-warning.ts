// Keeps a warning of the AWS SDK, eight lines about the age of Node, off the standard error of a program that is all ours.
// For the command line alone: in somebody's process it is theirs to read.

const VARIABLE = "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED";

/** Before the SDK is loaded. What the user has set stays. */
export function silenceSdkWarning(environment: Record<string, string | undefined> = process.env): void {
  environment[VARIABLE] ??= "true";
}
