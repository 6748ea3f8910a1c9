import { expect, test } from 'vitest'
import { type MemorySettings, needsRestartForHeap, planMemory } from './memory-plan.ts'

const gib = 1024 ** 3
const none: MemorySettings = {
  engineMemoryBytes: undefined,
  heapMemoryBytes: undefined,
  trainingMemoryBytes: undefined,
  clickhouseUrl: undefined,
  only: undefined,
  trainingEngineUrl: undefined,
  trainingLauncherFile: undefined,
}
const limitOf = (bytes: number) => ({ bytes, machineBytes: 64 * gib, cgroup: '/sys/fs/cgroup/app' })
const plan = (bytes: number, settings: Partial<MemorySettings> = {}) => planMemory(limitOf(bytes), { ...none, ...settings })

test.each<[string, number, Partial<MemorySettings>, [number, number, number]]>([
  ['a large machine', 64 * gib, {}, [6e9, 4 * gib, gib]],
  ['a container of 2 GiB', 2 * gib, {}, [Math.floor(0.8 * gib), gib / 2, Math.floor(gib / 5)]],
  ['a container of 256 MiB', gib / 4, {}, [Math.floor(0.1 * gib), gib / 8, gib / 16]],
  ['settings', 2 * gib, { engineMemoryBytes: 5e8, heapMemoryBytes: 3e8, trainingMemoryBytes: gib }, [5e8, 3e8, gib]],
  ['a server without an engine and models of its own', 2 * gib, { clickhouseUrl: 'http://c', only: 'tracing' }, [0, gib / 2, 0]],
])('%s', (_, bytes, settings, expected) => {
  const { engineBytes, heapBytes, modelsBytes } = plan(bytes, settings)
  expect([engineBytes, heapBytes, modelsBytes]).toEqual(expected)
})

test.each([1, 2, 4, 8, 64].map((size) => [size * gib]))('of %d bytes a quarter is left beside the parts', (bytes) => {
  const { engineBytes, heapBytes, modelsBytes } = plan(bytes)
  expect(engineBytes + heapBytes + modelsBytes).toBeLessThanOrEqual(bytes * 0.75 + 1)
})

const heap = { limitBytes: 4 * gib, execArgv: [] as string[], nodeOptions: '' }

test.each<[string, boolean, Parameters<typeof needsRestartForHeap>]>([
  ['may outgrow the container', true, [plan(gib), false, heap]],
  ['fits the container', false, [plan(16 * gib), false, heap]],
  ['is that of the operator', false, [plan(gib), false, { ...heap, nodeOptions: '--max-old-space-size=3000' }]],
  ['was set by this program', false, [plan(gib), false, { ...heap, execArgv: ['--max-old-space-size=256'] }]],
  [
    'is not that of the setting',
    true,
    [plan(64 * gib, { heapMemoryBytes: gib }), true, { ...heap, nodeOptions: '--max_old_space_size=3000' }],
  ],
  ['is about that of the setting', false, [plan(64 * gib, { heapMemoryBytes: 4 * gib }), true, { ...heap, limitBytes: 4.05 * gib }]],
])('a heap that %s: another one is needed: %s', (_, expected, given) => {
  expect(needsRestartForHeap(...given)).toBe(expected)
})
