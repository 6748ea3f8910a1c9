import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createServedAdapters } from './served-adapters.ts'

const never = new AbortController().signal
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-adapters-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('an adapter requested during its removal is loaded again after it, from complete files', async () => {
  const version = { key: 'model/1', baseModel: 'tiny', folder: join(folder, 'trained') }
  mkdirSync(version.folder)
  for (const name of ['adapter_config.json', 'adapter_model.safetensors']) writeFileSync(join(version.folder, name), name)
  const requests: unknown[] = []
  let end = () => {}
  const unloading = new Promise<void>((resolve) => (end = resolve))
  const adapters = createServedAdapters({
    folder: join(folder, 'shared'),
    maxIdle: 0,
    dialect: {
      adaptersHint: '',
      load: async ({ path }) => void requests.push(['load', readdirSync(path).toSorted()]),
      unload: (name) => (requests.push(['unload', name]), unloading),
    },
  })
  const first = await adapters.hold(version, never)
  first.release()
  const second = adapters.hold(version, never)
  await new Promise(setImmediate)
  const loaded = ['load', ['adapter_config.json', 'adapter_model.safetensors']]
  expect(requests).toEqual([loaded, ['unload', first.name]])
  end()
  expect((await second).name).toBe(first.name)
  expect(requests).toEqual([loaded, ['unload', first.name], loaded])
})
