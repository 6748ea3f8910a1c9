import { existsSync } from 'node:fs'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TestProject } from 'vitest/node'
import { setup } from './log-folder.ts'
import { appendLine } from './test-log.ts'

/** Ends a run whose servers wrote `line`. Returns its exit code and what it said. */
async function runWith(line: string) {
  const { exitCode } = process
  onTestFinished(() => {
    process.exitCode = exitCode
    vi.restoreAllMocks()
  })
  const said: string[] = []
  const hear = (text: string | Uint8Array) => said.push(String(text)) > 0
  vi.spyOn(process.stdout, 'write').mockImplementation(hear)
  vi.spyOn(process.stderr, 'write').mockImplementation(hear)
  process.exitCode = undefined
  let folder = ''
  const end = await setup({ provide: (_key: string, value: string) => (folder = value) } as unknown as TestProject)
  appendLine(folder, line)
  await end()
  return { code: process.exitCode, said: said.join(''), isThere: existsSync(folder) }
}

test('a run fails when a log line holds a key, and says which line of which test', async () => {
  const line = JSON.stringify({ test: 'a test', operation: `heddle${'x'.repeat(45)}`, msg: 'request' })
  const { code, said, isThere } = await runWith(line)
  expect({ code, isThere }).toEqual({ code: 1, isThere: false })
  expect(said).toMatch(/\.log:1 holds a key: .*"test":"a test"/)
})

test('a run with clean logs passes, and reports how many lines were scanned', async () => {
  const { code, said } = await runWith('{"msg":"request"}')
  expect(code).toBeUndefined()
  expect(said).toBe('1 log lines hold no key and no payload\n')
})
