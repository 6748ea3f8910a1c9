import { expect, test } from 'vitest'
import { readTheme, storeTheme } from './theme.ts'

const storeOf = (text: string | null) => ({ getItem: () => text })

test('a theme that was chosen is read again', () => {
  let text: string | null = null
  const store = { getItem: () => text, setItem: (_: string, value: string) => void (text = value) }
  storeTheme(store, 'dark')
  expect(readTheme(store)).toBe('dark')
})

test.each([
  ['nothing', null],
  ['invalid JSON', '{'],
  ['another version', '{"version":2,"theme":"dark"}'],
  ['an unknown theme', '{"version":1,"theme":"pink"}'],
  ['a list', '[]'],
])('%s in the store means the theme of the system', (_, text) => {
  expect(readTheme(storeOf(text))).toBe('system')
})

test('a browser that stores nothing breaks neither reading nor choosing', () => {
  const refuse = () => {
    throw new Error('refused')
  }
  expect(readTheme({ getItem: refuse })).toBe('system')
  expect(() => storeTheme({ setItem: refuse }, 'dark')).not.toThrow()
})
