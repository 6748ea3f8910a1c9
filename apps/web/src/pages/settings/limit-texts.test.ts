import type { ProjectLimit, ProjectLimits } from '@heddle/core-api/types'
import { describe, expect, test } from 'vitest'
import { changesOf, limitNames, limitTexts } from './limit-texts.ts'

const has = (own_limit: number | null): ProjectLimit => ({ limit: own_limit, own_limit, server_limit: null, used: null, left: null })
const limits: ProjectLimits = {
  requests_per_minute: has(600),
  requests_per_minute_per_key: has(null),
  ingested_bytes_per_day: has(1_000_000),
}
const texts = { requests_per_minute: '600', requests_per_minute_per_key: '', ingested_bytes_per_day: String(1_000_000 / 2 ** 20) }

describe('the texts of limits', () => {
  test('as the project has them change nothing', () => {
    for (const name of limitNames) expect(limitTexts[name].write(limits[name].own_limit)).toBe(texts[name])
    expect(changesOf(texts, limits)).toEqual({})
  })

  test('that differ are changes, and an empty one lifts a limit', () => {
    const changed = { requests_per_minute: ' ', requests_per_minute_per_key: '60', ingested_bytes_per_day: '1.5' }
    expect(changesOf(changed, limits)).toEqual({
      requests_per_minute: null,
      requests_per_minute_per_key: 60,
      ingested_bytes_per_day: 1_572_864,
    })
  })

  test.each([
    { requests_per_minute: '0' },
    { requests_per_minute: '1.5' },
    { requests_per_minute_per_key: '1000001' },
    { requests_per_minute_per_key: 'many' },
    { ingested_bytes_per_day: '0' },
    { ingested_bytes_per_day: '1 GiB' },
    { ingested_bytes_per_day: '1073741825' },
    { ingested_bytes_per_day: '.' },
  ])('that cannot be limits are none: %j', (wrong) => {
    expect(changesOf({ ...texts, ...wrong }, limits)).toBeUndefined()
  })
})
