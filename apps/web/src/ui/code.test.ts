import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CodeBlock } from './code.tsx'

const coloured = (code: string) =>
  [...renderToStaticMarkup(createElement(CodeBlock, { code, label: 'code' })).matchAll(/<span style="[^"]*">([^<]*)<\/span>/g)].map(
    ([, text]) => text,
  )

test.each([
  ['const limit = 3 // most', ['const', '3', '// most']],
  ['# first\nimport os', ['# first', 'import']],
  ['export URL=http://127.0.0.1:7460/a#b KEY=k', ['export']],
  ['node --import @heddle/otel-exporter/register app.mjs', []],
])('of %j are coloured: %j', (code, parts) => expect(coloured(code)).toEqual(parts))
