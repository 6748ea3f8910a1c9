import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkBaseModels } from './check-base-models.ts'

let own: string

beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'heddle-doctor-models-'))
})
afterEach(() => rmSync(own, { recursive: true, force: true }))

test('the models that come along can be used, and their memory is shown', () => {
  expect(checkBaseModels({ baseModelsDir: undefined })).toEqual([
    {
      name: 'Base models',
      state: 'ok',
      detail: expect.stringMatching(/heddle-nano \(545\.3 KiB to serve, \d+(\.\d)? MiB to train\)/) as string,
    },
  ])
})

test('an invalid model folder is a warning with the reason, a missing directory a failure', () => {
  const folder = join(own, 'notes')
  mkdirSync(folder)
  expect(checkBaseModels({ baseModelsDir: own })).toMatchObject([
    { state: 'ok' },
    {
      state: 'warning',
      detail: expect.stringContaining(join(folder, 'config.json')) as string,
      remedy: expect.stringContaining(folder) as string,
    },
  ])
  const missing = join(own, 'missing')
  expect(checkBaseModels({ baseModelsDir: missing })).toMatchObject([
    { state: 'failure', detail: expect.stringContaining(missing) as string },
  ])
})

test('without any model the installation is incomplete', () => {
  expect(checkBaseModels({ baseModelsDir: undefined }, own)).toMatchObject([{ state: 'failure', detail: 'none' }])
})
