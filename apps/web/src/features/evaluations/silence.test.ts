import { expect, test } from 'vitest'
import { minutesWithoutNews } from './silence.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const run = { started_at: '2026-03-01T11:00:00Z' }

test.each([
  ['only itself', [run], 60],
  ['a trial that began later', [run, { started_at: '2026-03-01T11:30:30Z' }], 29],
  ['a trial that ended later', [run, { started_at: '2026-03-01T11:01:00Z', ended_at: '2026-03-01T11:45:00Z' }], 15],
  ['a trial of this moment', [run, { started_at: '2026-03-01T11:59:00Z', ended_at: null }], undefined],
  ['a clock that is ahead', [{ started_at: '2026-03-01T13:00:00Z' }], undefined],
  ['times that cannot be read', [{ started_at: 'now' }], undefined],
])('a run with %s is without news for that long', (_, news, minutes) => {
  expect(minutesWithoutNews(news, now)).toBe(minutes)
})
