import { expect, test } from 'vitest'
import { formatFinding } from './finding.ts'
import { judgeClock, judgeDisk, judgeFolder, judgeNode } from './rules.ts'
import { createTestSpan } from './test-span.ts'

const gibibyte = 2 ** 30
const day = 1_767_312_000_000_000

test.each([
  ['v20.19.0', 'ok'],
  ['v20.18.3', 'failure'],
  ['v18.20.0', 'failure'],
  ['v22.1.0', 'ok'],
])('Node %s: %s', (version, state) => {
  expect(judgeNode(version).state).toBe(state)
})

test.each([
  [10, 100, 'ok'],
  [1, 10, 'warning'],
  [4, 100, 'failure'],
  [0.2, 1, 'failure'],
])('%d GiB free of %d: %s', (free, total, state) => {
  expect(judgeDisk({ freeBytes: free * gibibyte, totalBytes: total * gibibyte }).state).toBe(state)
})

test.each([
  [0o700, true, 'ok'],
  [0o755, true, 'warning'],
  [0o700, false, 'failure'],
])('a folder of mode %o, writable: %s: %s', (mode, isWritable, state) => {
  expect(judgeFolder({ path: '/data', mode, isWritable }).state).toBe(state)
})

test('a read-only file system is distinguished from missing permissions, which could not be granted there', () => {
  expect(judgeFolder({ path: '/data', mode: 0, isWritable: false, isReadOnly: true })).toMatchObject({
    state: 'failure',
    detail: '/data is on a read-only file system',
    remedy: 'mount a volume there, or name one with --data-dir',
  })
})

test.each([
  [day, 0, 'ok'],
  [day, 4_999_999, 'ok'],
  [day, -6_000_000, 'warning'],
  [0, 0, 'failure'],
])('a clock at %d that is %d off: %s', (now, apart, state) => {
  expect(judgeClock({ now, apart, other: 'the server' }).state).toBe(state)
})

test('a clock that is off is reported with its direction', () => {
  expect(formatFinding(judgeClock({ now: day, apart: -90_000_000, other: 'the server' }))).toBe(
    '! Clock: 1 m 30 s behind the server\n    → synchronize the clocks with NTP',
  )
})

test('the test span ends now and has ids of the right size', () => {
  const span = createTestSpan({ name: 'hello', now: day, random: (size) => Buffer.alloc(size, 0xab) })
  const [sent] = JSON.parse(span.body).resourceSpans[0].scopeSpans[0].spans
  expect(sent).toMatchObject({ traceId: 'ab'.repeat(16), spanId: 'ab'.repeat(8), endTimeUnixNano: '1767312000000000000' })
})
