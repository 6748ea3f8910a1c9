import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { firstSpan, programs } from './first-trace-texts.ts'

test('the program in Python and what it installs are those of the page about OpenAI, which a test runs', async () => {
  const page = await readFile(new URL('../../../../../docs/clients/openai.md', import.meta.url), 'utf8')
  expect(page).toContain(`\`\`\`python\n${programs.python.program}\n\`\`\``)
  expect(page.replaceAll(/==[\d.]+/g, '')).toContain(`${programs.python.install}\n`)
})

test('the span of a first request ends when it is made, and has no apostrophe', () => {
  const body = firstSpan({ nowMs: 1_795_000_000_123, newId: () => '0123456789abcdef0123456789abcdef' })
  expect(body).not.toContain("'")
  expect(JSON.parse(body)).toMatchObject({
    resourceSpans: [
      {
        scopeSpans: [
          { spans: [{ spanId: '0123456789abcdef', startTimeUnixNano: '1795000000122000000', endTimeUnixNano: '1795000000123000000' }] },
        ],
      },
    ],
  })
})
