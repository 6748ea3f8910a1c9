import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { init } from './init.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'heddle-mcp-init-'))
})
afterEach(() => rm(cwd, { recursive: true }))

const options = { baseUrl: 'http://127.0.0.1:7400', project: 'team/app', apiKey: 'secret-key' }
async function run(client: string | undefined, write: boolean): Promise<string> {
  const printed: string[] = []
  await init({ client, options, write, cwd, print: (text) => printed.push(text) })
  return printed.join('')
}

test('what would change is shown first, and nothing is written', async () => {
  expect(await run('cursor', false)).toMatch(/\+ .*"heddle": \{[\s\S]*Nothing was written/)
  await expect(readFile(join(cwd, '.cursor/mcp.json'))).rejects.toThrow('ENOENT')
})

test('the server is merged with those that are there, without the key', async () => {
  await mkdir(join(cwd, '.vscode'))
  await writeFile(join(cwd, '.vscode/mcp.json'), JSON.stringify({ inputs: [], servers: { other: { command: 'x' } } }))
  await run('vscode', true)
  const text = await readFile(join(cwd, '.vscode/mcp.json'), 'utf8')
  expect(JSON.parse(text)).toEqual({
    inputs: [],
    servers: {
      other: { command: 'x' },
      heddle: {
        command: 'npx',
        args: ['-y', '@heddle/mcp-server'],
        env: { HEDDLE_BASE_URL: options.baseUrl, HEDDLE_PROJECT: 'team/app', HEDDLE_API_KEY: '${env:HEDDLE_API_KEY}' },
      },
    },
  })
  expect(text).not.toContain('secret-key')
  expect(await run('vscode', true)).toContain('has it already')
})

test('an unknown assistant and a broken file are refused with what to do', async () => {
  await expect(run('emacs', false)).rejects.toThrow('init needs one of claude-code')
  await mkdir(join(cwd, '.cursor'))
  await writeFile(join(cwd, '.cursor/mcp.json'), '{ broken')
  await expect(run('cursor', true)).rejects.toThrow('cannot be merged')
  expect(await readFile(join(cwd, '.cursor/mcp.json'), 'utf8')).toBe('{ broken')
})
