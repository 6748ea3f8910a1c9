import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Gives the stores of a run of the tests a folder, and removes it at the end, with what shared or failed tests left. A global setup of vitest. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-test-'))
  project.provide('storesFolder', folder)
  // An engine ends a moment after the worker that started it, and may still write meanwhile.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
}
