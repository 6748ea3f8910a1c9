import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { fileNameOf, type Page, rootFrom } from '../page.ts'
import type { RenderedPage } from './render-markdown.ts'

/** Addresses of the built assets, below the root of the site. */
export interface Assets {
  styles: string
  theme: string
  script: string
  icon: string
  search: string
}

interface PageHtmlOptions {
  page: Page
  pages: readonly Page[]
  rendered: RenderedPage
  assets: Assets
  /** Address of the root of the site, with a slash at the end. Default: relative to the page. */
  root?: string
}

const serializer = unified().use(rehypeStringify)

/** The document of a page. It has no inline scripts or styles: a content policy may refuse them. */
export function pageHtml({ page, pages, rendered, assets, root = rootFrom(page.path) }: PageHtmlOptions): string {
  const document: Root = {
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en', dataRoot: root, dataSearch: root + assets.search }, [
        head({ page, hasTwin: pages.includes(page), assets, root }),
        h('body', [
          h('a', { className: 'skip', href: '#content' }, 'Skip to content'),
          bar(root),
          h('div', { className: 'columns' }, [
            sidebar(page, pages, root),
            h('main', { id: 'content', tabIndex: -1 }, [
              h('article', [...facts(page), ...(rendered.content.children as ElementContent[])]),
              neighbours(page, pages, root),
            ]),
            outline(rendered),
          ]),
        ]),
      ]),
    ],
  }
  return serializer.stringify(document)
}

const head = ({ page, hasTwin, assets, root }: { page: Page; hasTwin: boolean; assets: Assets; root: string }) =>
  h('head', [
    h('meta', { charset: 'utf-8' }),
    h('title', page.path === '' ? 'Heddle documentation' : `${page.title} · Heddle`),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('link', { rel: 'icon', href: root + assets.icon, type: 'image/svg+xml' }),
    h('link', { rel: 'stylesheet', href: root + assets.styles }),
    hasTwin ? h('link', { rel: 'alternate', type: 'text/markdown', href: twinOf(page, root) }) : '',
    h('script', { src: root + assets.theme }),
    h('script', { type: 'module', src: root + assets.script }),
  ])

const bar = (root: string) =>
  h('header', { className: 'bar' }, [
    h('button', { type: 'button', id: 'menu', className: 'quiet', ariaControls: 'sidebar', ariaExpanded: 'false' }, 'Menu'),
    h('a', { className: 'brand', href: root }, 'Heddle docs'),
    h('button', { type: 'button', id: 'search', className: 'search' }, [h('span', 'Search'), h('kbd', '/')]),
    h('button', { type: 'button', id: 'theme', className: 'quiet' }, 'Theme'),
    h('a', { className: 'quiet', href: `${root}../` }, 'Open Heddle'),
  ])

function sidebar(page: Page, pages: readonly Page[], root: string): Element {
  const sections = [...new Set(pages.map(({ section }) => section))]
  return h(
    'nav',
    { id: 'sidebar', ariaLabel: 'Pages' },
    sections.map((section) =>
      h('details', { open: section === page.section || section === sections[0] }, [
        h('summary', section),
        h(
          'ul',
          pages
            .filter((one) => one.section === section)
            .map(({ path, label }) => h('li', h('a', { href: root + path, ...(path === page.path && { ariaCurrent: 'page' }) }, label))),
        ),
      ]),
    ),
  )
}

function outline({ sections }: RenderedPage): Element {
  const shown = sections.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return h('aside', { className: 'outline' })
  return h('aside', { className: 'outline' }, [
    h('nav', { ariaLabel: 'On this page' }, [
      h('p', 'On this page'),
      h(
        'ul',
        shown.map(({ id, heading, level }) => h('li', { className: `level-${level}` }, h('a', { href: `#${id}` }, heading))),
      ),
    ]),
  ])
}

function facts({ facts: { tried, tested } }: Page): ElementContent[] {
  if (tried === undefined && tested === undefined) return []
  const how = {
    run: 'The lines of this page run in a test.',
    names: 'Follows the documentation of the client; addresses, headers and variables are checked against the server.',
  }
  return [h('p', { className: 'facts' }, [tried === undefined ? '' : `Tried with ${tried}. `, tested === undefined ? '' : how[tested]])]
}

function neighbours(page: Page, pages: readonly Page[], root: string): Element {
  const at = pages.indexOf(page)
  const link = (name: string, rel: string, other: Page | undefined) =>
    other ? [h('a', { rel, href: root + other.path }, [h('span', name), ` ${other.label}`])] : []
  return h('nav', { className: 'neighbours', ariaLabel: 'Previous and next page' }, [
    ...link('Previous', 'prev', pages[at - 1]),
    ...link('Next', 'next', at === -1 ? undefined : pages[at + 1]),
    at === -1 ? '' : h('a', { className: 'twin', href: twinOf(page, root) }, 'This page as Markdown'),
  ])
}

const twinOf = ({ path }: Page, root: string) => `${root}${fileNameOf(path)}.md`
