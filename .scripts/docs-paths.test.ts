import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))

test.each(documents)('every file of this project that docs/%s names is there', (name) => {
  const text = readFileSync(join(root, 'docs', name), 'utf8')
  const named = [...text.matchAll(/`((?:apps|packages|benchmarks|docs|\.scripts|\.config)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path ?? '')
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
