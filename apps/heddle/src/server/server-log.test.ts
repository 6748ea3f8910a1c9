import { expect, test } from 'vitest'
import { createServerLog } from './server-log.ts'

function aLog(level = 'info') {
  const lines: string[] = []
  return { log: createServerLog(level, { write: (line) => void lines.push(line) }), lines }
}

test('an error is logged with its kind and place, and without its words', () => {
  const { log, lines } = aLog()
  const err = Object.assign(new Error('secret', { cause: new Error('secret') }), { code: 'ENOSPC', detail: 'secret' })
  log.error({ operation: 'tracing.calls.start', err }, 'an operation failed unexpectedly')
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('secret')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    operation: 'tracing.calls.start',
    msg: 'an operation failed unexpectedly',
    err: { type: 'Error', code: 'ENOSPC', at: expect.arrayContaining([expect.stringContaining('server-log.test.ts')]), cause: {} },
  })
})

test('an error in place of the fields does not lend its words either', () => {
  const { log, lines } = aLog()
  log.error(new Error('secret'), 'failed')
  expect(lines.join('')).not.toContain('secret')
  expect(lines.join('')).toContain('failed')
})
