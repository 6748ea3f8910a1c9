import { expect, test } from 'vitest'
import { llmsText } from './llms-text.ts'
import type { Page } from './page.ts'

const pageOf = (path: string, section: string, markdown: string): Page => ({
  path,
  source: `docs/${path}.md`,
  section,
  label: path,
  title: `Title of ${path}`,
  markdown,
  facts: {},
})

test('llms.txt lists the Markdown of each page below its section, with the first sentence of its text', () => {
  const text = llmsText([
    pageOf('', 'Start', '# First\n\nHeddle records **calls** of [models](models.md). More.\n'),
    pageOf('limits', 'Operate', '# Limits\n\n| a | b |\n'),
    pageOf('speed', 'Operate', '# Speed\n\nMeasured with\ntwo cores:\n'),
  ])
  expect(text.split('\n').slice(6)).toEqual([
    '## Start',
    '',
    '- [Title of ](index.md): Heddle records calls of models.',
    '',
    '## Operate',
    '',
    '- [Title of limits](limits.md)',
    '- [Title of speed](speed.md): Measured with two cores.',
    '',
  ])
})
