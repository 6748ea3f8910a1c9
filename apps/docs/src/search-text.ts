import type { Page } from './page.ts'
import type { RenderedPage } from './render/render-markdown.ts'

/** What the search of the site reads: one entry for each section of each page. `[address below the site, title of the page, heading, text]` */
export type SearchEntry = [address: string, title: string, heading: string, text: string]

export const searchEntriesOf = ({ path, title }: Page, { sections }: RenderedPage): SearchEntry[] =>
  sections
    .filter(({ id, text }) => id === '' || text !== '')
    .map(({ id, heading, text }) => [path + (id === '' ? '' : `#${id}`), title, heading, text.trim()])
