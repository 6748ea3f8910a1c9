import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { scanLogs } from './scan-logs.ts'

/**
 * Gives the servers of a run of the tests a folder for their logs, and looks through it at the end: a key, a payload or a lost row in
 * any line fails the run. A global setup of vitest.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-test-logs-'))
  project.provide('logFolder', folder)
  return async () => {
    const { lines, found, findings } = await scanLogs(folder)
    await rm(folder, { recursive: true, force: true })
    if (found === 0) return void process.stdout.write(`${lines} log lines hold no key and no payload\n`)
    for (const { place, leaks, line } of findings) process.stderr.write(`${place} holds ${leaks.join(', ')}: ${line.slice(0, 1_000)}\n`)
    process.stderr.write(`${found} of ${lines} log lines hold what must never be logged\n`)
    // A teardown that throws is only reported; this is what makes the run fail.
    process.exitCode = 1
  }
}
