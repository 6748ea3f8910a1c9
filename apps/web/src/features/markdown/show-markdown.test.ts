import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, inject, test } from 'vitest'
import { ConfirmProvider } from '../../ui/confirm/confirm.tsx'
import { ShowMarkdown } from './show-markdown.tsx'

const markupOf = (text: string) =>
  renderToStaticMarkup(createElement(ConfirmProvider, { children: createElement(ShowMarkdown, { text, label: 'Answer' }) }))

test('headings, lists, tables, code and strong words have their form', () => {
  const markup = markupOf('# Title\n\n- one\n- **two**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nlet x\n```')
  for (const part of ['markdown-h1">Title', '<li>one', '<strong>two', '<td>1', 'let x']) expect(markup).toContain(part)
})

test('markup in a text stays text', () => {
  expect(markupOf('**a** <b onclick="x()">b</b>')).toContain('&lt;b onclick=&quot;x()&quot;&gt;b&lt;/b&gt;')
})

test('an image is named and not loaded', () => {
  const markup = markupOf('![a cat](https://example.com/cat.png)')
  expect(markup).toContain('image a cat https://example.com/cat.png')
  expect(markup).not.toContain('<img')
})

test('an http or https link opens in a new tab without opener or referrer; other URL schemes are not rendered as links', () => {
  expect(markupOf('[page](https://example.com/)')).toContain(
    'href="https://example.com/" target="_blank" rel="noopener noreferrer nofollow"',
  )
  for (const address of ['javascript:alert(1)', 'data:text/html,x', '/settings', 'file:///etc/passwd', 'mailto:a@b'])
    expect(markupOf(`[page](${address})`)).not.toContain('<a')
})

test('a text that is nested too deeply stays as it was written', () => {
  expect(markupOf(`${'>'.repeat(500)} text`)).toContain('<pre')
})

const pieces = [
  '# ',
  '- ',
  '1. ',
  '> ',
  '`',
  '```\n',
  '**',
  '_',
  '[',
  ']',
  '(',
  ')',
  '![',
  '](javascript:alert(1))',
  '](http://x.y)',
  '<',
  '</p>',
  '&',
  '&lt;',
]
const more = [
  '<img src=x onerror=a()>',
  '<script>a()</script>',
  '|',
  '| - |',
  '\n',
  '\n\n',
  'text',
  ' ',
  '\\',
  '~~',
  '- [x] ',
  '[^1]',
  '[^1]: ',
]

test('no text becomes an element that runs or loads', () => {
  const text = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (markdown) => {
      const tags = markupOf(markdown).match(/<[a-z][^>]*>/g) ?? []
      expect(tags.filter((tag) => /^<(?:img|script|iframe|style|form|input|object|video)|\son[a-z]+=|javascript:/i.test(tag))).toEqual([])
    }),
    { numRuns: inject('long') ? 5_000 : 200 },
  )
})

test('marks of writing direction are left out of what is formatted, also as character references and in titles, and kept in code blocks', () => {
  const markup = markupOf(
    '# a\u202eb\n\n- *c\u2066d* e&#x202e;f `g\u200fh` [i\u202ej](https://example.com/ "k\u202el")\n\n```\nx\u202ey\n```',
  )
  for (const part of ['ab', 'cd', 'ef', 'gh', 'ij']) expect(markup).toContain(part)
  expect(markup.match(/[\u200f\u202e\u2066]/g)).toEqual(['\u202e'])
  expect(markup).toContain('x\u202ey')
})
