import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkRefusedRows } from './check-refused-rows.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-refused-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a folder without refused rows passes, and so does a missing one', async () => {
  expect((await checkRefusedRows(folder)).state).toBe('ok')
  const calls = join(folder, 'engine', 'journal', 'calls')
  await mkdir(join(calls, 'refused'), { recursive: true })
  await writeFile(join(calls, '1.rows'), 'waiting')
  expect((await checkRefusedRows(folder)).state).toBe('ok')
})

test('refused rows are a failure that names their files', async () => {
  const refused = join(folder, 'engine', 'journal', 'calls', 'refused')
  await mkdir(refused, { recursive: true })
  for (const name of ['7.rows', '7.blocks', '8.rows']) await writeFile(join(refused, name), '')
  const { state, detail } = await checkRefusedRows(folder)
  expect(state).toBe('failure')
  expect(detail).toMatch(/^2 files with acknowledged rows .*calls\/refused\/\d\.rows$/)
})
