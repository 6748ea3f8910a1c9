import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spoolBody } from './spool-body.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-spool-'))
  for (const name of ['first', 'second']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true }))

const spool = (parts: string[], maxBytes = 100) =>
  spoolBody(bodyOf(parts), { folders: [join(folder, 'first'), join(folder, 'second')], name: 'rows', maxBytes })

async function* bodyOf(parts: readonly string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part)
}

test('the chunks of a body are one file in the first folder', async () => {
  const path = await spool(['ab', '', 'cd'])
  expect(path).toBe(join(folder, 'first', 'rows'))
  expect(readFileSync(path, 'utf8')).toBe('abcd')
})

test('a body that is too long or truncated leaves no file', async () => {
  await expect(spool(['a'.repeat(60), 'b'.repeat(60)])).rejects.toThrow('insert is longer than 100 bytes')
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('half')
    throw new Error('gone')
  }
  await expect(spoolBody(broken(), { folders: [folder], name: 'rows', maxBytes: 10 })).rejects.toThrow('gone')
  expect(readdirSync(join(folder, 'first'))).toEqual([])
  expect(readdirSync(folder)).toEqual(['first', 'second'])
})

test('a name that is taken, even by a link, is not followed', async () => {
  symlinkSync('/dev/null', join(folder, 'first', 'rows'))
  await expect(spool(['ab'])).rejects.toThrow('EEXIST')
})
