import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const wantedBytes = 6 * 2 ** 30

/**
 * Keeps temporary files of a run of the tests in memory, where there is room and no `TMPDIR` is set: stores sync each write, and on a disk
 * half of the run was waiting for that. A global setup of vitest, which comes before all that make folders.
 */
export function setup(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || freeBytes(memory) < wantedBytes) return undefined
  // Short: the path of a socket has at most 107 characters, most of which folders of tests take.
  const folder = mkdtempSync(join(memory, 'h-'))
  // PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
}

function freeBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
