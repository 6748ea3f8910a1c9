import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const source = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'heddle-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What the examples may name, with the module that exports it. */
const entries = ['index.ts', 'client/index.ts', 'openapi/index.ts', 'routes/index.ts'].map(
  (entry) => pathToFileURL(join(source, entry)).href,
)

/** The lines of each `@example`, with the file that holds it. */
const examples = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) =>
    [...readFileSync(join(source, name), 'utf8').matchAll(/\n \* @example\n((?: \* .*\n)+?) \*(?:\/| @)/g)].map(([, lines = '']) => ({
      name,
      lines: lines.split('\n').map((line) => line.slice(3)),
    })),
  )

/** Those names that an example uses. */
const used =
  'ApiError, callKindOf, createClient, defineResource, displayNameOf, formatConversationRef, formatMention, formatRef, formatTimestamp, ' +
  'isApiError, parseRef, parseTimestamp, readNote, toInputSchema, tracing'

/** A module that runs the lines, and exports the value of each that ends with a comment, beside the one in the comment. */
function toModule(lines: readonly string[]): string {
  const imports = entries.map((entry, at) => `import * as entry${at} from '${entry}'`)
  const names = `const { ${used} } = { ${entries.map((_, at) => `...entry${at}`).join(', ')} } as any`
  const code = lines.map((line) => line.replace(/^(\S.*) \/\/ (.+)$/, (_, value, said) => `pairs.push([${value}, ${said}])`))
  return [...imports, `import { z } from '${import.meta.resolve('zod')}'`, names, 'export const pairs: unknown[][] = []', ...code].join(
    '\n',
  )
}

test.each(examples.map((example, at) => ({ ...example, at })))(
  'the example of $name returns the documented value',
  async ({ lines, at }) => {
    const file = join(folder, `example-${at}.ts`)
    writeFileSync(file, toModule(lines))
    const { pairs } = (await import(pathToFileURL(file).href)) as { pairs: [unknown, unknown][] }
    expect(pairs.length).toBeGreaterThan(0)
    expect(pairs.map(([value]) => value)).toEqual(pairs.map(([, said]) => said))
  },
)

test('the main exports have examples', () => {
  expect(examples.length).toBeGreaterThan(10)
})
