// What a person puts into a host's settings. Both hosts read the same shape; only the file's name differs.

/** Seconds: a session of 100 MB takes half a minute, on a machine that is busy longer. */
const ARCHIVE_TIMEOUT = 300;
const RECORD_TIMEOUT = 30;

export function hookSettings(): object {
  const call = (timeout: number) => ({ type: "command", command: "agent-compact hook", timeout });
  return {
    hooks: {
      PreCompact: [{ hooks: [call(ARCHIVE_TIMEOUT)] }],
      SessionStart: [{ matcher: "compact", hooks: [call(RECORD_TIMEOUT)] }],
    },
  };
}
