import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './project-root.mjs'
import { findReturnedTexts } from './returned-texts.mjs'

const pages = join(projectRoot, 'apps/web/src')

test('a component that may return a text is found, and one that returns it within an element is not', () => {
  const path = join(pages, 'sample/sample.tsx')
  const text = [
    'const Text = ({ text }: { text: string }) => text',
    "const Sometimes = ({ text }: { text: string }) => (text === '' ? <b /> : `${text}!`)",
    'const Fine = ({ text }: { text: string }) => <>{text}</>',
    'export const All = () => <><Text text="a" /><Sometimes text="a" /><Fine text="a" /></>',
  ].join('\n')
  expect(findReturnedTexts([path], join(pages, 'sample/'), new Map([[path, text]]))).toEqual([
    'Sometimes of sample.tsx:2',
    'Text of sample.tsx:1',
  ])
}, 120_000)

test('no component of the pages returns a text, whose marks of writing direction nothing would leave out', () => {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'))
  expect(files.length).toBeGreaterThan(300)
  const paths = files.map((path) => join(pages, path))
  expect(findReturnedTexts(paths, `${pages}/`)).toEqual([])
}, 120_000)
