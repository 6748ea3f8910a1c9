import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileNameOf, type Page, rootFrom } from '../page.ts'

/** Where a link of a page leads. */
export type Target =
  | { kind: 'page'; page: Page; fragment: string }
  /** `path` of a picture of `docs/`, from the root of the repository. */
  | { kind: 'picture'; path: string }
  /** To another site, or to another part of the same page. */
  | { kind: 'unchanged' }
  /** To a file of the repository that is not part of the site. */
  | { kind: 'file'; path: string }

export interface LinkResolver {
  repository: string
  pages: readonly Page[]
}

/** @throws Error for a link to a file that does not exist */
export function resolveLink(url: string, from: Page, { repository, pages }: LinkResolver): Target {
  if (/^[a-z][a-z+.-]*:|^#/i.test(url)) return { kind: 'unchanged' }
  const [file = '', fragment] = url.split('#')
  const path = posix.normalize(posix.join(dirname(from.source), file)).replace(/\/$/, '')
  const page = pages.find(({ source }) => source === (path === 'README.md' ? 'docs/index.md' : path))
  if (page) return { kind: 'page', page, fragment: fragment === undefined ? '' : `#${fragment}` }
  if (!existsSync(join(repository, path))) throw new Error(`${from.source} links to ${url}, which is neither a page nor a file`)
  return path.startsWith('docs/') && /\.(?:png|svg|webp)$/.test(path) ? { kind: 'picture', path } : { kind: 'file', path }
}

/** Relative address of a target from a page, as HTML or as Markdown; undefined if it has none on the site. */
export function addressOf(target: Target, from: Page, format: 'html' | 'md'): string | undefined {
  if (target.kind === 'page') {
    const { path } = target.page
    return rootFrom(from.path) + (format === 'html' ? path : `${fileNameOf(path)}.md`) + target.fragment
  }
  return target.kind === 'picture' ? rootFrom(from.path) + pictureFileOf(target.path) : undefined
}

/** Path of a picture below the folder of the site. */
export const pictureFileOf = (path: string) => `pictures/${path.slice('docs/'.length).replaceAll('/', '-')}`
