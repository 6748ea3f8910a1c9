import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payloadCanary } from './log-rules.ts'
import { scanLogs } from './scan-logs.ts'
import { appendLine, createTestLog } from './test-log.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-logs-'))
})
afterEach(() => rm(folder, { recursive: true }))

const aLog = () => createTestLog({ folder, test: () => 'the test' })

test('a log without a leak passes, and its lines are counted', async () => {
  aLog().info({ method: 'GET', operation: 'tracing.service.health', status: 200, ms: 1, bytes: 2, key: null }, 'request')
  aLog().error(
    { operation: 'tracing.calls.start', err: new Error(payloadCanary, { cause: new Error(payloadCanary) }) },
    'an operation failed',
  )
  expect(await scanLogs(folder)).toEqual({ lines: 2, found: 0, findings: [] })
})

test('a leak is found with its line and its test', async () => {
  aLog().info({}, 'fine')
  aLog().error({ operation: payloadCanary }, 'request')
  const { found, findings } = await scanLogs(folder)
  expect(found).toBe(1)
  expect(findings).toEqual([
    { place: expect.stringMatching(/^\d+\.log:2$/), leaks: ['a payload'], line: expect.stringContaining('"test":"the test"') },
  ])
})

test('many leaks are counted, and the first of them shown', async () => {
  for (let count = 0; count < 50; count++) appendLine(folder, payloadCanary)
  expect(await scanLogs(folder)).toMatchObject({ found: 50, findings: { length: 20 } })
})

test('a test with a log of its own gets all lines, with unchanged errors', () => {
  const told: unknown[] = []
  const log = createTestLog({ folder, test: () => '', also: { info: () => undefined, error: (...all) => told.push(all) } })
  const err = new Error('why')
  log.error({ err }, 'failed')
  expect(told).toEqual([[{ err }, 'failed']])
})
