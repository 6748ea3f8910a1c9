import { expect, test } from 'vitest'
import type { SearchEntry } from '../search-text.ts'
import { createSearchIndex } from './search-index.ts'

const entries: SearchEntry[] = [
  ['start', 'Ten minutes', 'Ten minutes', 'From nothing to traces.'],
  ['limits#rates', 'Limits', 'Rates', `${'Words before. '.repeat(30)}A webhook is retried for a day.${' Words after.'.repeat(30)}`],
  ['webhooks', 'Webhooks', 'Webhooks', 'What is sent, and how to receive it.'],
]
const search = createSearchIndex(entries)
const addresses = (query: string) => search(query).map(({ address }) => address)

test.each([
  ['webhooks', ['webhooks', 'limits#rates'], 'a title comes before a text'],
  ['webh', ['webhooks', 'limits#rates'], 'the beginning of a word is enough'],
  ['webhoks', ['webhooks'], 'a small error is forgiven'],
  ['webhook retried', ['limits#rates'], 'all words must be there'],
  ['nowhere', [], 'an unknown word finds nothing'],
])('for "%s" it finds %j: %s', (query, found) => {
  expect(addresses(query)).toEqual(found)
})

test('the excerpt is the part of a long text around the word', () => {
  const [found] = search('retried')
  expect(found?.excerpt).toMatch(/^….*A webhook is retried for a day\..*…$/)
  expect(found?.excerpt.length).toBeLessThan(200)
})
