import { expect, test } from 'vitest'
import { isTimeZone } from './zone-clock.ts'

test('only names of the time zone database are time zones', () => {
  expect(isTimeZone('Asia/Tokyo')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
  expect(isTimeZone('')).toBe(false)
})
