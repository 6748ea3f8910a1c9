import { expect, test } from 'vitest'
import { checkMemory } from './check-memory.ts'

const gib = 1024 ** 3
const settings = {
  engineMemoryBytes: undefined,
  heapMemoryBytes: undefined,
  trainingMemoryBytes: gib,
  clickhouseUrl: undefined,
  only: undefined,
  trainingEngineUrl: undefined,
  trainingLauncherFile: undefined,
}

test('the doctor says who limits the memory, and how it is divided', () => {
  const limit = { bytes: 8 * gib, machineBytes: 64 * gib, cgroup: '/sys/fs/cgroup/app' }
  expect(checkMemory(limit, settings)).toEqual({
    name: 'Memory',
    state: 'ok',
    detail: '8 GiB by control group /sys/fs/cgroup/app, of 64 GiB of the machine: engine 3.2 GiB, JavaScript objects 2 GiB, models 1 GiB',
  })
})

test('parts that are more together are a warning with the settings', () => {
  const limit = { bytes: gib, machineBytes: gib, cgroup: undefined }
  expect(checkMemory(limit, settings)).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(/^1 GiB of the machine: .*, which is more together$/),
    remedy: expect.stringMatching(/HEDDLE_TRAINING_MEMORY_BYTES, HEDDLE_ENGINE_MEMORY_BYTES or HEDDLE_HEAP_MEMORY_BYTES/),
  })
})

test('a server of tracing alone with a ClickHouse server has neither engine nor models', () => {
  const limit = { bytes: gib, machineBytes: gib, cgroup: undefined }
  const { state, detail } = checkMemory(limit, { ...settings, clickhouseUrl: 'http://c', only: 'tracing' })
  expect([state, detail]).toEqual(['ok', '1 GiB of the machine: JavaScript objects 256 MiB'])
})
