import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkEngine } from './check-machine.ts'

test.each([
  ['no user may write to', '/sys/kernel'],
  ['is not there', join(tmpdir(), 'heddle-none')],
])('an engine that finds no folder for its trial, since the temporary one %s, says so and how to name another', async (_, folder) => {
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await checkEngine({ clickhouseUrl: undefined })).toMatchObject({
    state: 'failure',
    remedy: `the trial needs a folder to write to: mount one at ${folder}, or name one by TMPDIR`,
  })
})
