import { expect, test } from 'vitest'
import vectors from '../../../vectors/stats-vectors.json' with { type: 'json' }
import { callStatus } from './call-status.ts'
import { derivedSummary } from './derived-summary.ts'
import { opShortName } from './op-short-name.ts'

const micros = (text: string) => {
  const [, fraction = '0'] = /\.(\d+)/.exec(text) ?? []
  return Math.floor(Date.parse(text) / 1000) * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

test.each(vectors.derived_summary)('$name', (vector) => {
  const summary = JSON.stringify(vector.summary)
  const ended_at = vector.ended_at === null ? null : micros(vector.ended_at)
  const call = {
    summary,
    started_at: micros(vector.started_at),
    ended_at,
    display_name: vector.display_name ?? '',
    op_short_name: opShortName(vector.op_name.replace(/^weave-trace-internal:\/\/\/[^/]*/, 'weave:///e/p')),
    status: callStatus({ exception: vector.exception, ended_at, summary }),
  }
  expect(JSON.parse(derivedSummary(call))).toEqual(vector.result)
})

test('numbers of the summary keep their form', () => {
  const call = { summary: '{"n":1.0}', started_at: 0, ended_at: null, display_name: '', op_short_name: 'o', status: 'running' }
  expect(derivedSummary(call)).toBe('{"n":1.0,"weave":{"status":"running","trace_name":"o"}}')
})
