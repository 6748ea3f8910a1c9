import { expect, test } from 'vitest'
import { looksLikeMarkdown } from './looks-like-markdown.ts'

test.each([
  ['a heading', '# Title\ntext'],
  ['a list', 'Two things:\n- one\n- two'],
  ['a numbered list', '1. one\n2. two'],
  ['code', 'Run\n```sh\nls\n```'],
  ['strong words', 'This is **important**.'],
  ['a table', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
  ['a link', 'See [the page](https://example.com/a).'],
])('%s is a sign of Markdown', (_, text) => {
  expect(looksLikeMarkdown(text)).toBe(true)
})

test.each([
  ['plain words', 'What is 2 * 3 * 4?'],
  ['one dash', '- a remark'],
  ['JSON', '{"a": [1, 2]}'],
  ['a number sign', '#1 of many'],
  ['what takes too long to read', `# Title\n${'*a_'.repeat(2_000)}`],
  ['quotes in quotes', `# Title\n${'>'.repeat(100)} x`],
  ['a text too long to read', `# Title\n${'x'.repeat(20_000)}`],
])('%s stays as it is', (_, text) => {
  expect(looksLikeMarkdown(text)).toBe(false)
})
