import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { inWholeRuns } from './testing/whole-runs.ts'

const cwd = fileURLToPath(new URL('../../../../', import.meta.url))
const timeout = 10 * 60_000

/** It exits with 1 where a page lacks what is measured. */
test.each(inWholeRuns)('the benchmark of the pages measures all that it names', { timeout }, async () => {
  const args = ['.scripts/bench.mjs', 'web', '--small', '--live-seconds', '300']
  await promisify(execFile)(process.execPath, args, { cwd, timeout })
})
