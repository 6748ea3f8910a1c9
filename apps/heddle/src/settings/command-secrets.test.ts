import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../run-program.ts'
import { type CalledCommand, withMaskedNotes } from './command-secrets.ts'
import { fileVariableOf } from './secret-files.ts'
import { type Setting, settingKeys, settings, flagOf, variableOf } from './settings.ts'
import { toTerminal } from '../terminal/terminal.ts'

const canary = 'Canary-0123456789-of-the-test'

function notesOf(called: CalledCommand, text: string): string[] {
  const notes: string[] = []
  const push = (line: string) => void notes.push(line)
  const terminal = withMaskedNotes(toTerminal({ out: () => undefined, note: push, status: push, isInteractive: true }), called)
  terminal.note(text)
  terminal.status(text)
  return notes
}

const secretKeys = settingKeys.filter((key) => (settings[key] as Setting<unknown>).kind.isSecret)

test.each(secretKeys)('%s is in no output of a command, whether it is set by a variable, a file or a flag', (key) => {
  const masked = ['error: REDACTED', 'error: REDACTED']
  const text = `error: ${canary}`
  expect(notesOf({ args: [], environment: { [variableOf(key)]: canary } }, text)).toEqual(masked)
  const folder = mkdtempSync(join(tmpdir(), 'heddle-notes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'secret'), `${canary}\n`)
  const ofFile = { [fileVariableOf(variableOf(key))]: join(folder, 'secret') }
  expect(notesOf({ args: [], environment: ofFile }, text)).toEqual(masked)
  expect(notesOf({ args: [], environment: { ...ofFile, [variableOf(key)]: 'another-value' } }, text)).toEqual(masked)
  expect(notesOf({ args: ['serve', flagOf(key), canary], environment: {} }, text)).toEqual(masked)
  expect(notesOf({ args: ['serve', `${flagOf(key)}=${canary}`], environment: {} }, text)).toEqual(masked)
})

test('passwords in addresses, credentials of the bucket, keys of providers and the admin key are in no note', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-notes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'admin-key'), `${canary}-admin\n`)
  const providersFile = join(folder, 'providers.json')
  writeFileSync(providersFile, JSON.stringify({ providers: { own: { base_url: 'http://p.test', api_key: `${canary}-provider` } } }))
  const environment = {
    HEDDLE_DATABASE_URL: `postgres://u:${canary}-database@h/d`,
    HEDDLE_CLICKHOUSE_URL: `http://u:${canary}-of an invalid address@h`,
    AWS_SECRET_ACCESS_KEY: `${canary}-bucket`,
    HEDDLE_PROVIDERS_FILE: providersFile,
  }
  for (const kind of ['database', 'bucket', 'provider', 'admin'])
    expect(notesOf({ args: ['doctor', '--data-dir', folder], environment }, `it said ${canary}-${kind}`)[0]).not.toContain(canary)
})

test('the error of a command says what the server answered, without the key that it repeats', async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ reason: `no: ${request.headers.authorization}` }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  const terminal = toTerminal({ out: write, note: write, status: write, isInteractive: false })
  const environment = { HEDDLE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, HEDDLE_API_KEY: canary }
  expect(await runProgram(['traces', 'list', '--project', 'a/b'], { environment, terminal })).toBe(1)
  expect(written.join('\n')).toContain('REDACTED')
  expect(written.join('\n')).not.toContain(canary)
})
