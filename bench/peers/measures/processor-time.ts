// Processor time in milliseconds: of this thread where Node tells it, else of the process.

export function processorTime(): number {
  const { user, system } = (process as WithThreads).threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

/** Node 23.9 and later. */
type WithThreads = NodeJS.Process & { threadCpuUsage?: () => NodeJS.CpuUsage };
