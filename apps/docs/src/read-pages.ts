import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type FilePage, type Section, sections } from './navigation.ts'
import type { Page, PageFacts } from './page.ts'
import { referencePages } from './reference/reference-pages.ts'

/**
 * All pages in the order of the sidebar.
 * @throws Error for a file that is missing or has no heading
 */
export async function readPages(repository: string): Promise<Page[]> {
  const fromFiles = [...sections, await otherPages(repository)].flatMap(({ title: section, pages }) =>
    pages.map(async ({ path, source, label }) => {
      const { facts, markdown } = splitFrontMatter(await readFile(join(repository, source), 'utf8'))
      const title = titleOf(markdown, source)
      return { path, source, section, title, label: label ?? title, markdown, facts }
    }),
  )
  return [...(await Promise.all(fromFiles)), ...(await referencePages(repository))]
}

/** Files of `docs/` that the navigation does not name. */
async function otherPages(repository: string): Promise<Section> {
  const named = new Set(sections.flatMap(({ pages }) => pages.map(({ source }) => source)))
  const names = (await readdir(join(repository, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md')).toSorted()
  const pages = names.map((name): FilePage => ({ path: name.replace(/\.md$/, ''), source: `docs/${name}` }))
  return { title: 'More', pages: pages.filter(({ source }) => !named.has(source)) }
}

/** Front matter is YAML between two lines of three hyphens at the beginning. */
export function splitFrontMatter(text: string): { facts: PageFacts; markdown: string } {
  const [all = '', yaml] = /^---\n([\s\S]*?)\n---\n+/.exec(text) ?? []
  return { facts: yaml === undefined ? {} : (parse(yaml) as PageFacts), markdown: text.slice(all.length) }
}

function titleOf(markdown: string, source: string): string {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? []
  if (title === undefined) throw new Error(`${source} has no heading of the first level, which names the page`)
  return title.replaceAll('`', '')
}
