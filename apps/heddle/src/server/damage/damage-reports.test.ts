import { StoreError } from '@heddle/datastore'
import { expect, test } from 'vitest'
import { createDamageReports } from './damage-reports.ts'

function start() {
  const lines: string[] = []
  const log = {
    error: (_fields: object, message: string) => void lines.push(`error ${message}`),
    warn: (_fields: object, message: string) => void lines.push(`warn ${message}`),
  }
  return { reports: createDamageReports(log), lines }
}

test('each damaged thing is logged once and counted once', () => {
  const { reports, lines } = start()
  expect(reports.summary()).toBeUndefined()
  const blob = () => new StoreError('damaged', 'blob a is damaged')
  for (const error of [blob(), blob(), new StoreError('damaged', 'blob b is damaged')]) reports.met(error)
  const part = {
    table: 'calls',
    name: 'broken_1',
    reason: 'broken-on-start',
    path: '/d/1',
    partition: 'p',
    minBlock: 1,
    maxBlock: 1,
    missingRows: 3,
  }
  for (const _ of [1, 2]) reports.inTables({ detached: [part], lost: [] })
  reports.inTables({ detached: [], lost: [{ table: 'calls', name: '1_1_0', rows: 2 }] })
  expect(lines).toEqual([
    'error met damaged data',
    'error met damaged data',
    'error table part is damaged: its rows are missing from results; the damaged files are kept',
    'error table part is gone: its rows are missing from results',
  ])
  expect(reports.summary()).toBe('4 damaged; run heddle doctor')
})
