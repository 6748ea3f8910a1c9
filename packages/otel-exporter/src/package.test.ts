import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as fetchEntry from './fetch.ts'
import * as main from './index.ts'
import * as otlpHttp from './otlp-http.ts'
import { version } from './version.ts'

const maxBytes = 25_000

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

/** Entry to the names that exist at run time, as committed. */
function readCommitted(): Record<string, string[]> {
  const entries = read('../api/exports.txt')
    .trim()
    .split('\n\n')
    .map((block) => {
      const [entry = '', ...names] = block.split('\n').map((line) => line.trim())
      return [entry, names.filter((name) => !name.startsWith('type '))] as const
    })
  return Object.fromEntries(entries)
}

test('the exported names are those of the committed list; a change of them is made with "npm run gen" and a changeset', () => {
  const entries = { '.': main, './fetch': fetchEntry, './otlp-http': otlpHttp }
  const exported = Object.entries(entries).map(([entry, names]) => [entry, Object.keys(names).toSorted()])
  // Loading this entry starts tracing.
  expect({ ...Object.fromEntries(exported), './register': ['tracing'] }).toEqual(readCommitted())
})

test('the version that requests name is that of the package', () => {
  expect((JSON.parse(read('../package.json')) as { version: string }).version).toBe(version)
})

interface Bundler {
  rolldown(options: object): Promise<{ generate(options: object): Promise<{ output: { code?: string }[] }>; close(): Promise<void> }>
}

/** The bundler is that of the build. */
async function bundle(entry: string, minify: boolean): Promise<string> {
  const { rolldown } = createRequire(createRequire(import.meta.url).resolve('tsdown'))('rolldown') as Bundler
  const build = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'neutral',
    external: [/^node:/, /^@opentelemetry\//],
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', minify, codeSplitting: false })
  await build.close()
  return output.map(({ code = '' }) => code).join('')
}

test.each([
  ['index.ts', 'main'],
  ['fetch.ts', 'fetch'],
] as const)('%s, minified and compressed, is as small as committed and below 25 KB', async (entry, name) => {
  const bytes = gzipSync(await bundle(`./${entry}`, true)).length
  const committed = (JSON.parse(read('../api/size.json')) as Record<string, number>)[name] ?? 0
  expect(bytes).toBeLessThan(maxBytes)
  expect(Math.abs(bytes - committed), `api/size.json says ${committed} for ${name}, now ${bytes}: commit the new number`).toBeLessThan(500)
})

test('the fetch entry reaches no module of Node', async () => {
  expect(await bundle('./fetch.ts', false)).not.toMatch(/from "node:|require\(/)
})
