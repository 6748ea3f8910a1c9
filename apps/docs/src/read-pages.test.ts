import { expect, test } from 'vitest'
import { splitFrontMatter } from './read-pages.ts'

test('front matter is split off, and a text without it is unchanged', () => {
  expect(splitFrontMatter('---\ntried: ai 5\ntested: run\n---\n\n# Title\n')).toEqual({
    facts: { tried: 'ai 5', tested: 'run' },
    markdown: '# Title\n',
  })
  expect(splitFrontMatter('# Title\n\n---\n')).toEqual({ facts: {}, markdown: '# Title\n\n---\n' })
})
