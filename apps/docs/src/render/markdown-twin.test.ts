import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Page } from '../page.ts'
import { markdownTwin } from './markdown-twin.ts'
import { renderMarkdown } from './render-markdown.ts'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const pageOf = (path: string, markdown: string): Page => ({
  path,
  source: `docs/${path}.md`,
  section: 'Section',
  label: path,
  title: path,
  markdown,
  facts: {},
})
const security = pageOf('security', '# Security\n')

test.each([
  ['to a page', 'start', '[a](security.md)', '[a](./security.md)'],
  ['to a heading of a page', 'start', '[security.md](security.md#one)', '[security.md](./security.md#one)'],
  ['from a folder', 'decisions/one', '[a](../security.md)', '[a](../security.md)'],
  ['by its definition', 'start', '[a][s]\n\n[s]: security.md', '[a][s]\n\n[s]: ./security.md'],
  ['to a file without a page', 'start', '[the *licence*](../LICENSE)', 'the *licence*'],
  ['to a picture', 'start', '![A trace](trace-page.png)', '![A trace](./pictures/trace-page.png)'],
  ['to another site', 'start', '<https://x.example> [b](https://y.example)', '<https://x.example> [b](https://y.example)'],
  ['in code', 'start', '`[a](security.md)`', '`[a](security.md)`'],
])('a link %s leads to Markdown', (_, path, markdown, expected) => {
  const page = pageOf(path, markdown)
  expect(markdownTwin(page, { repository, pages: [page, security] })).toBe(expected)
})

test('a link to a file that does not exist fails the build, and is named', () => {
  const page = pageOf('start', '[a](none.md)')
  const resolver = { repository, pages: [page] }
  expect(() => markdownTwin(page, resolver)).toThrow('docs/start.md links to none.md')
  expect(() => renderMarkdown(page, resolver)).toThrow('docs/start.md links to none.md')
})
