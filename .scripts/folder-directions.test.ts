import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCycles } from './folder-directions.mjs'
import { projectRoot } from './project-root.mjs'

test('folders next to each other import in one direction', () => {
  expect(findCycles(productFiles())).toEqual([])
})

describe('an import cycle', () => {
  test('of two folders is found, with the imports of the rarer direction', () => {
    const files = {
      'src/plot/line.ts': "import { a } from '../ui/a.ts'\nimport { b } from '../ui/deep/b.ts'",
      'src/ui/a.ts': 'export const a = 1',
      'src/ui/deep/b.ts': "import type { Line } from '../../plot/line.ts'",
    }
    expect(findCyclesIn(files)).toEqual([{ parent: 'src', folders: ['plot', 'ui'], imports: ['src/ui/deep/b.ts → src/plot/line.ts'] }])
  })

  test('is found over a third folder, by types, by export and by import(), and only where it is one', () => {
    const files = {
      'src/a/a.ts': "export { b } from '../b/b.ts'\nimport '../d/d.ts'",
      'src/b/b.ts': "const c = await import('../c/c.ts')",
      'src/c/c.ts': "import type { A } from '../a/a.ts'",
      'src/d/d.ts': "import { b } from '../b/b.ts'",
      'src/e/e.ts': "import { a } from '../a/a.ts'",
    }
    expect(findCyclesIn(files).map(({ folders }) => folders)).toEqual([['a', 'b', 'c', 'd']])
  })

  test('needs folders: files of the folder that both share belong to neither', () => {
    const files = {
      'src/root.ts': "import { a } from './a/a.ts'",
      'src/a/a.ts': "import { root } from '../root.ts'\nimport { b } from './deep/b.ts'",
      'src/a/deep/b.ts': "import { a } from '../a.ts'\n// import '../../c/c.ts'",
      'src/c/c.ts': "import { a } from '../a/a.ts'",
    }
    expect(findCyclesIn(files)).toEqual([])
  })
})

function findCyclesIn(files: Record<string, string>) {
  return findCycles(new Map(Object.entries(files)))
}

function productFiles(): Map<string, string> {
  const sources = ['apps', 'packages'].flatMap((group) => readdirSync(join(projectRoot, group)).map((name) => `${group}/${name}/src`))
  const paths = sources
    .filter((source) => existsSync(join(projectRoot, source)))
    .flatMap((source) => readdirSync(join(projectRoot, source), { recursive: true, encoding: 'utf8' }).map((path) => `${source}/${path}`))
  const products = paths.filter(
    (path) => /\.tsx?$/.test(path) && !/\.test(-d)?\.tsx?$|\/(testing|browser-tests|contract-tests)\//.test(path),
  )
  return new Map(products.map((path) => [path, readFileSync(join(projectRoot, path), 'utf8')]))
}
