import { expect, test } from 'vitest'
import { findPagePhrases, textsOfPage } from './page-wording.mjs'

const found = (jsx: string) => findPagePhrases(`const page = (\n  ${jsx}\n)`, 'page.tsx').map(({ line, found: text }) => [line, text])

test.each([
  ['<p>Reading the list …</p>', 'Reading the list …'],
  ['<Button>Add to a dataset</Button>', 'Add to a dataset'],
  ['<Card title="Latency, median" />', 'Latency, median'],
  ['<Select label={isAll ? "Roots only" : "Traces"} />', 'Roots only'],
  ['<p>{count === 0 && "No trace failed"}</p>', 'No trace failed'],
  ['<figcaption>{`The highest bar is ${most}`}</figcaption>', 'The highest bar'],
  ['<Field render={() => <b>Name of a view</b>} />', 'Name of a view'],
])('%s is found', (jsx, text) => expect(found(jsx)).toEqual([[2, text]]))

test('a label does not end with a full stop, and a sentence may', () => {
  expect(found('<Input placeholder="Your name." />')).toEqual([[2, 'Your name.']])
  expect(found('<Input placeholder="Search…" />')).toEqual([])
  expect(found('<p>It was deleted.</p>')).toEqual([])
  expect(found('<Field help="At most 20." />')).toEqual([])
  expect(found('<Notice title="You are offline." />')).toEqual([])
})

test('only what people meet is read', () => {
  const source = `// Roots only
    const order = 'Slowest first'
    const page = <div className="Errors only" onClick={() => go('Roots only')}>{show(<i>Shown</i>)}</div>`
  expect(textsOfPage(source, 'page.tsx').map(({ text }) => text)).toEqual(['Shown'])
  expect(findPagePhrases(source, 'page.tsx')).toEqual([])
})
