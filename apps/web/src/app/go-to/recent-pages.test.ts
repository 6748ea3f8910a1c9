import { expect, test } from 'vitest'
import { noteRecentPage, readRecentPages } from './recent-pages.ts'

function aStore(text: string | null = null) {
  let stored = text
  return { getItem: () => stored, setItem: (_: string, value: string) => void (stored = value) }
}

test('the last pages are kept, each once, the newest first', () => {
  const store = aStore()
  for (let at = 0; at < 12; at++) noteRecentPage(store, { href: `/e/p/calls/${at}`, title: `Call ${at}` })
  noteRecentPage(store, { href: '/e/p/calls/5', title: 'Call 5' })
  const pages = readRecentPages(store)
  expect(pages).toHaveLength(10)
  expect(pages[0]).toEqual({ href: '/e/p/calls/5', title: 'Call 5', kind: 'recent' })
  expect(pages.filter(({ href }) => href === '/e/p/calls/5')).toHaveLength(1)
})

test.each([
  ['no JSON', '{'],
  ['another version', '{"version":9,"pages":[{"href":"/","title":"x"}]}'],
  [
    'an address of another server',
    '{"version":1,"pages":[{"href":"//evil.example","title":"x"},{"href":"https://evil.example","title":"x"}]}',
  ],
])('%s in the store is dropped', (_, text) => {
  expect(readRecentPages(aStore(text))).toEqual([])
})
