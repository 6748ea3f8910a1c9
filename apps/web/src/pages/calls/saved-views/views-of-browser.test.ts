import { expect, test } from 'vitest'
import { readViews, writeViews } from './views-of-browser.ts'

function memory(stored: Record<string, string> = {}) {
  return {
    stored,
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => void (stored[key] = value),
  }
}

test('views are read as they were saved, for each project apart', () => {
  const storage = memory()
  const views = [{ name: 'Slow failures', search: { sort: 'slowest' as const, status: 'error' as const } }]
  expect(writeViews(storage, 'e/p', views)).toBe(true)
  expect(readViews(storage, 'e/p')).toMatchObject(views)
  expect(readViews(storage, 'e/other')).toEqual([])
})

test.each(['', 'no json', '{}', '[1, null, {"name": 3}, {"name": "x"}]'])(
  'stored text that is not a list of views is dropped: %j',
  (text) => {
    expect(readViews(memory({ 'heddle.calls-views.1.e/p': text }), 'e/p')).toEqual([])
  },
)

test('saving reports that the browser stores nothing', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(writeViews(full, 'e/p', [])).toBe(false)
})
