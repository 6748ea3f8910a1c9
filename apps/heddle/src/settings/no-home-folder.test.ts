import { expect, test, vi } from 'vitest'
import { flagsTo } from '../server/start/welcome.ts'
import { toConfiguration } from './configuration.ts'

// As for a user in a container that has only a number.
vi.mock('node:os', async (importOriginal) => ({
  ...(await importOriginal<typeof import('node:os')>()),
  homedir: () => {
    throw new Error('uv_os_homedir returned ENOENT (no such file or directory)')
  },
}))

test('without a home folder the error says to set the data folder', () => {
  expect(() => toConfiguration({ environment: {}, flags: {} })).toThrow(
    'HEDDLE_DATA_DIR begins with "~", but this user has no home folder; set HEDDLE_DATA_DIR to another path, or the variable HOME',
  )
})

test('with a data folder, a user without a home folder gets a configuration and flags that name it', () => {
  const { host, dataDir, basePath } = toConfiguration({ environment: { HEDDLE_DATA_DIR: '/data' }, flags: {} })
  expect(flagsTo({ port: 7400 }, { host, dataDir, basePath })).toBe(' --data-dir /data')
})
