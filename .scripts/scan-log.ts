import { scanLogs } from '../packages/service-kit/src/testing/scan-logs.ts'

// Looks through the logs in a folder for what must never be in one: `tsx .scripts/scan-log.ts <folder>`. Ends with 1 when there is any.
async function scan(folder: string): Promise<void> {
  const { lines, found, findings } = await scanLogs(folder)
  for (const { place, leaks, line } of findings) process.stdout.write(`${place} holds ${leaks.join(', ')}: ${line.slice(0, 1_000)}\n`)
  process.stdout.write(`${found} of ${lines} log lines of the server hold a key or a payload\n`)
  process.exitCode = found > 0 ? 1 : 0
}

void scan(process.argv[2] ?? '')
