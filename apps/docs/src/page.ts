/** A page of the site before it is rendered. */
export interface Page {
  /** Below the address of the site, without an ending; `''` is the first page. */
  path: string
  /** Path of its Markdown file from the root of the repository; for a page without a file, where that file would be. */
  source: string
  /** Title of its section in the sidebar. */
  section: string
  /** In the sidebar. */
  label: string
  /** Its first heading. */
  title: string
  /** Without front matter. */
  markdown: string
  facts: PageFacts
}

/** Front matter of a page. */
export interface PageFacts {
  /** Versions with which the lines of the page were tried. */
  tried?: string
  /** How the lines of the page are tested: by running them, or only by their addresses and names. */
  tested?: 'run' | 'names'
}

/** Name of the file of a page below the folder of the site, without an ending. */
export const fileNameOf = (path: string) => (path === '' ? 'index' : path)

/** Relative address of the root of the site from a page: `./` or `../`. */
export const rootFrom = (path: string) => '../'.repeat(path.split('/').length - 1) || './'
