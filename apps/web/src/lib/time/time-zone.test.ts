import { expect, test } from 'vitest'
import { readTimeZone, storeTimeZone } from './time-zone.ts'

const storeOf = (text: string | null) => ({ getItem: () => text })

test('a time zone that was chosen is read again', () => {
  let text: string | null = null
  const store = { getItem: () => text, setItem: (_: string, value: string) => void (text = value) }
  storeTimeZone(store, 'Europe/Berlin')
  expect(readTimeZone(store)).toBe('Europe/Berlin')
})

test.each([
  ['nothing', null],
  ['invalid JSON', '{'],
  ['another version', '{"version":2,"timeZone":"UTC"}'],
  ['an unknown time zone', '{"version":1,"timeZone":"Mars/Olympus"}'],
  ['a number', '{"version":1,"timeZone":1}'],
])('%s in the store means the time zone of the browser', (_, text) => {
  expect(readTimeZone(storeOf(text))).toBe('system')
})

test('a browser that stores nothing breaks neither reading nor choosing', () => {
  const refuse = () => {
    throw new Error('refused')
  }
  expect(readTimeZone({ getItem: refuse })).toBe('system')
  expect(() => storeTimeZone({ setItem: refuse }, 'UTC')).not.toThrow()
})
