import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAssets } from './build-assets.ts'
import { compress } from './compress.ts'
import { llmsFullText, llmsText } from './llms-text.ts'
import { fileNameOf, type Page } from './page.ts'
import { readPages } from './read-pages.ts'
import { markdownTwin } from './render/markdown-twin.ts'
import { pageHtml } from './render/page-html.ts'
import { renderMarkdown } from './render/render-markdown.ts'
import { type LinkResolver, pictureFileOf, resolveLink } from './render/resolve-link.ts'
import { searchEntriesOf } from './search-text.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** Address of the site on the server. The page for unknown addresses names it, since it is shown at any depth. */
const siteAddress = '/docs/'

const missing: Page = {
  path: '404',
  source: 'docs/404.md',
  section: '',
  label: '',
  title: 'Page not found',
  markdown: '# Page not found\n\nThe documentation has no page at this address. Search for it, or choose one from the list of pages.\n',
  facts: {},
}

/**
 * Builds the site into a folder, which is emptied first. Returns the paths of the modules and fonts that it bundles.
 * @throws Error for a page that is missing, or a link that leads nowhere
 */
export async function buildSite(folder: string): Promise<{ bundled: string[] }> {
  await rm(folder, { recursive: true, force: true })
  const pages = await readPages(repository)
  const resolver = { repository, pages }
  const rendered = [...pages, missing].map((page) => ({ page, rendered: renderMarkdown(page, resolver) }))
  const search = rendered.flatMap((one) => (one.page === missing ? [] : searchEntriesOf(one.page, one.rendered)))
  const { assets, bundled } = await buildAssets(folder, JSON.stringify(search))
  const documents = rendered.map(({ page, rendered }) => {
    const html = pageHtml({ page, pages, rendered, assets, ...(page === missing && { root: siteAddress }) })
    return { name: `${fileNameOf(page.path)}.html`, text: html }
  })
  const twins = pages.map((page) => ({ page, twin: markdownTwin(page, resolver) }))
  const texts = [
    ...documents,
    ...twins.map(({ page, twin }) => ({ name: `${fileNameOf(page.path)}.md`, text: twin })),
    { name: 'llms.txt', text: llmsText(pages) },
    { name: 'llms-full.txt', text: llmsFullText(twins) },
  ]
  for (const { name, text } of texts) await write(join(folder, name), text)
  await copyPictures(folder, resolver)
  await compress(folder)
  return { bundled }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function copyPictures(folder: string, resolver: LinkResolver): Promise<void> {
  const links = resolver.pages.flatMap((page) =>
    [...page.markdown.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, url = '']) => resolveLink(url, page, resolver)),
  )
  for (const path of new Set(links.flatMap((target) => (target.kind === 'picture' ? [target.path] : [])))) {
    const copy = join(folder, pictureFileOf(path))
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(join(repository, path), copy)
  }
}
