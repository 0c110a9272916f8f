// The plugin file for opencode: "plugin" in its opencode.json takes this file's path.
export { compactInOpencode } from "../dist/opencode.js";
