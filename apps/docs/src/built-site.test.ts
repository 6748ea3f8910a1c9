import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'

const folder = fileURLToPath(new URL('docs/', inject('builtChildren')))
const repository = fileURLToPath(new URL('../../../', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name) && !/\.(?:br|gz)$/.test(name))
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const pages = files.filter((name) => name.endsWith('.html'))

/** The file at an address of the server. */
function fileAt(address: string): string {
  const path = decodeURIComponent(address).replace(/^\/docs\//, '')
  if (path === '') return 'index.html'
  return files.includes(path) ? path : `${path}.html`
}

/** Address of a page of the server. */
const addressOf = (name: string) => `/docs/${name.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`

const idsOf = new Map(pages.map((name) => [name, new Set([...textOf(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]))

/** Attributes of a page that load or lead to something, without addresses of other sites. */
const referencesOf = (html: string) =>
  [...html.matchAll(/ (?:href|src|data-search)="([^"]*)"/g)]
    .map(([, url = '']) => url.replaceAll('&#x26;', '&'))
    .filter((url) => !/^[a-z][a-z+.-]*:/i.test(url))

test('every file of docs/ is a page of the site', () => {
  const texts = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  expect(texts.map((name) => name.replace(/\.md$/, '.html')).filter((name) => !pages.includes(name))).toEqual([])
})

test('every link and anchor of every page resolves', () => {
  const dead = pages.flatMap((name) =>
    referencesOf(textOf(name)).filter((reference) => {
      const url = new URL(reference, `http://server${addressOf(name)}`)
      // The pages of the server itself.
      if (url.pathname === '/') return false
      const target = fileAt(url.pathname)
      if (!url.pathname.startsWith('/docs/') || !files.includes(target)) return true
      return url.hash !== '' && !idsOf.get(target)?.has(decodeURIComponent(url.hash.slice(1)))
    }),
  )
  expect(pages.length).toBeGreaterThan(80)
  expect(dead).toEqual([])
})

test('every link between the Markdown files resolves', () => {
  const markdown = files.filter((name) => /\.md$|^llms\.txt$/.test(name))
  const dead = markdown.flatMap((name) =>
    [...withoutCode(textOf(name)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, url = '']) => url)
      .filter((url) => !/^[a-z][a-z+.-]*:|^#/i.test(url))
      .filter((url) => !files.includes(posix.normalize(posix.join(dirname(name), url.split('#')[0] ?? '')))),
  )
  expect(markdown.length).toBe(pages.length)
  expect(dead).toEqual([])
})

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')

test('every page has its Markdown, and is in llms.txt and in llms-full.txt', () => {
  const names = pages.map((name) => name.replace(/html$/, 'md')).filter((name) => name !== '404.md')
  expect(names.filter((name) => !files.includes(name))).toEqual([])
  expect(names.filter((name) => !textOf('llms.txt').includes(`(${name})`))).toEqual([])
  expect(names.filter((name) => !textOf('llms-full.txt').includes(`<!-- ${name} -->`))).toEqual([])
})

describe.each(pages)('%s', (name) => {
  const html = textOf(name)

  test('has no inline script or style, and loads nothing from another host', () => {
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)| style="| on\w+="/)
    expect([...html.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="((?:https?:)?\/\/[^"]*)"/g)]).toEqual([])
  })

  test('has one heading of the first level and no id twice', () => {
    expect([...html.matchAll(/<h1[ >]/g)]).toHaveLength(1)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })
})

test('the whole site is small enough to be kept in memory', () => {
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0)
  expect(bytes).toBeLessThan(12_000_000)
})
