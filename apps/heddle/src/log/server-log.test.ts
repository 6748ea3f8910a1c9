import { expect, test } from 'vitest'
import { createServerLog } from './server-log.ts'

function aLog(level = 'info') {
  const lines: string[] = []
  return { log: createServerLog(level, { write: (line) => void lines.push(line) }), lines }
}

test('an error is logged with its kind and stack, without its message', () => {
  const { log, lines } = aLog()
  const err = Object.assign(new Error('secret', { cause: new Error('secret') }), { code: 'ENOSPC', detail: 'secret' })
  log.error({ operation: 'tracing.calls.start', err }, 'operation failed unexpectedly')
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('secret')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    operation: 'tracing.calls.start',
    msg: 'operation failed unexpectedly',
    err: { type: 'Error', code: 'ENOSPC', at: expect.arrayContaining([expect.stringContaining('server-log.test.ts')]), cause: {} },
  })
})

test('an error passed as the fields is logged without its message as well', () => {
  const { log, lines } = aLog()
  log.error(new Error('secret'), 'failed')
  expect(lines.join('')).not.toContain('secret')
  expect(lines.join('')).toContain('failed')
})
