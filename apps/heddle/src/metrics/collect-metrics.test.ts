import { expect, test } from 'vitest'
import { createCollection } from './collect-metrics.ts'
import { createMetricRegistry } from './registry.ts'
import { parseOpenMetrics } from './testing/parse-openmetrics.ts'

const valuesOf = (text: string, family: string) =>
  parseOpenMetrics(text)
    .get(family)
    ?.samples.map(({ labels, value }) => [labels, value])

test('collections at the same time read their sources once', async () => {
  let reads = 0
  const sources = { server: async () => ({ ready: [{ value: (reads += 1) }] }) }
  const collect = createCollection({ registry: createMetricRegistry(), sources, onError: () => undefined })
  const texts = await Promise.all([collect(), collect(), collect()])
  expect(texts.map((text) => valuesOf(text, 'heddle_ready'))).toEqual([[[{}, 1]], [[{}, 1]], [[{}, 1]]])
  expect(valuesOf(await collect(), 'heddle_ready')).toEqual([[{}, 2]])
})

test('a source that fails or hangs is counted and keeps its last values, the others are read, and it is not read again while it hangs', async () => {
  const errors: string[] = []
  let asked = 0
  const failing = async () => Promise.reject(new Error('gone'))
  const hanging = () => {
    asked += 1
    return asked === 1 ? Promise.resolve({ diskFree: [{ value: 5 }] }) : new Promise<never>(() => undefined)
  }
  const registry = createMetricRegistry()
  const sources = { jobs: failing, disk: hanging, server: async () => ({ ready: [{ value: 1 }] }) }
  const collect = createCollection({ registry, sources, onError: (source) => void errors.push(source), limitMs: 20 })
  await collect()
  await collect()
  const text = await collect()
  expect(valuesOf(text, 'heddle_ready')).toEqual([[{}, 1]])
  expect(valuesOf(text, 'heddle_disk_free_bytes')).toEqual([[{}, 5]])
  expect(valuesOf(text, 'heddle_metrics_unread_sources')).toEqual([
    [{ source: 'jobs' }, 3],
    [{ source: 'disk' }, 2],
  ])
  expect(asked).toBe(2)
  expect(errors.toSorted()).toEqual(['disk', 'disk', 'jobs', 'jobs', 'jobs'])
})

test('values of labels are escaped', async () => {
  const registry = createMetricRegistry()
  registry.count('refusals', 1, { reason: 'a "b" \\ \n c' })
  expect(valuesOf(await registry.text(), 'heddle_http_refusals')).toEqual([[{ reason: String.raw`a \"b\" \\ \n c` }, 1]])
})

test('samples that are no longer read are removed, and a gauge that was never set has no sample', async () => {
  const registry = createMetricRegistry()
  expect(valuesOf(await registry.text(), 'heddle_training_reward')).toEqual([])
  registry.replace({ partReady: [{ value: 1, labels: { part: 'disk' } }], lastBackup: [{ value: 7 }] })
  registry.replace({ partReady: [], lastBackup: [] })
  const text = await registry.text()
  expect([valuesOf(text, 'heddle_part_ready'), valuesOf(text, 'heddle_last_backup_timestamp_seconds')]).toEqual([[], []])
})
