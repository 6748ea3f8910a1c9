import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { type RunningCommand, startCommand } from '../testing/run-command.ts'

vi.setConfig({ testTimeout: 120_000 })

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-heap-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, maxRetries: 20 }))

const small = () => ({
  HEDDLE_DATA_DIR: dataDir,
  HEDDLE_PORT: '0',
  HEDDLE_API_KEY: 'a-key-of-the-tests-of-heaps',
  HEDDLE_HEAP_MEMORY_BYTES: '314572800',
})
const urlOf = (command: RunningCommand) => /http:\/\/127\.0\.0\.1:\d+/.exec(command.out())?.[0] ?? ''
const isUp = (url: string) =>
  fetch(`${url}/livez`).then(
    () => true,
    () => false,
  )

test.each(inject('long') ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
  'a server with another heap is stopped by %s, and has ended when its command has',
  async (signal) => {
    const command = startCommand(['serve'], small())
    await command.said('Any program')
    const url = urlOf(command)
    expect(await isUp(url)).toBe(true)
    command.child.kill(signal)
    expect(await command.ended).toBe(0)
    expect(await isUp(url)).toBe(false)
  },
)

test('a server with another heap ends with its command that is killed', async () => {
  const command = startCommand(['serve'], small())
  await command.said('Any program')
  const url = urlOf(command)
  command.child.kill('SIGKILL')
  await expect.poll(() => isUp(url)).toBe(false)
  await command.ended
})

test('a start that fails ends with the code and the words of the server', async () => {
  const command = startCommand(['serve'], { ...small(), HEDDLE_PRICES_FILE: join(dataDir, 'missing.json') })
  expect([await command.ended, command.note()]).toEqual([2, expect.stringContaining('missing.json')])
})
