// The version of this package where no file can be read to find it. A test holds it against package.json.
export const PACKAGE_NAME = "agent-compact";
export const PACKAGE_VERSION = "0.1.0";
