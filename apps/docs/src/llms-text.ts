import { fileNameOf, type Page } from './page.ts'

const summary =
  'Heddle is a self-hosted service that records what LLM applications do (tracing), evaluates it, and trains models on it. ' +
  'Programs with OpenTelemetry send their traces unchanged.'

/** `llms.txt`: a link to the Markdown of each page, by section. The form is that of llmstxt.org. */
export function llmsText(pages: readonly Page[]): string {
  const sections = [...new Set(pages.map(({ section }) => section))]
  return [
    '# Heddle',
    '',
    `> ${summary}`,
    '',
    'All pages in one file: [llms-full.txt](llms-full.txt)',
    ...sections.flatMap((section) => [
      '',
      `## ${section}`,
      '',
      ...pages
        .filter((page) => page.section === section)
        .map(({ path, title, markdown }) => `- [${title}](${fileNameOf(path)}.md)${leadOf(markdown)}`),
    ]),
    '',
  ].join('\n')
}

/** `llms-full.txt`: the Markdown of all pages, each after a line with its address below the site. */
export const llmsFullText = (twins: readonly { page: Page; twin: string }[]) =>
  twins.map(({ page, twin }) => `<!-- ${fileNameOf(page.path)}.md -->\n\n${twin.trim()}\n`).join('\n')

/** The first sentence after the heading, as plain text. */
function leadOf(markdown: string): string {
  const paragraph = markdown
    .replace(/^# .+\n+/, '')
    .split(/\n{2,}/)[0]
    ?.replace(/\s+/g, ' ')
  if (paragraph === undefined || !/^[\p{L}`[*]/u.test(paragraph)) return ''
  const plain = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*/g, '')
  const [sentence = plain] = /^.*?[.:](?=\s|$)/.exec(plain) ?? []
  return `: ${sentence.replace(/:$/, '.')}`
}
