// The extension file for pi: pi -e THIS_FILE, or "extensions" in its settings.
// biome-ignore lint/style/noDefaultExport: pi asks for one.
export { compactInPi as default } from "../dist/pi.js";
