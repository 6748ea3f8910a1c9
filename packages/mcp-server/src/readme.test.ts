import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { codeIn } from '@heddle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { clients } from './command/client-settings.ts'
import { parseCommandLine } from './command/settings.ts'
import { installLinks } from './packaging/install-links.ts'
import { tools } from './tools/tools.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = (language: string) => codeIn(readme, language)

test('the table has every tool, and no other', () => {
  const named = [...readme.matchAll(/`((?:evals?|traces?|training|trajectories|models?|feedback|annotation)_[a-z_]+)`/g)].map(
    ([, name]) => name,
  )
  expect(new Set(named)).toEqual(new Set(tools.map(({ name }) => name)))
})

test('the commands are understood, and the assistants are those that there are', () => {
  const lines = blocks('sh').flatMap((code) => code.trim().split('\n'))
  expect(lines.map((line) => parseCommandLine(line.replace('npx @heddle/mcp-server ', '').split(' ')).command)).toEqual(['init', 'doctor'])
  for (const client of Object.keys(clients)) expect(readme).toContain(`\`${client}\``)
})

test('the links for one click hold the entry that "init" writes', () => {
  for (const [name, link] of Object.entries(installLinks())) expect(readme).toContain(`[${name}](${link})`)
})

test('the settings are JSON', () => {
  for (const code of blocks('json')) expect(JSON.parse(code)).toHaveProperty('mcpServers.heddle.url')
})

test('the program runs and prints what the README says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-mcp-readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [code = ''] = blocks('ts')
  const entry = new URL('index.ts', import.meta.url).href
  const path = join(folder, 'program.mts')
  writeFileSync(path, code.replace("'@heddle/mcp-server'", JSON.stringify(entry)))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', path], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  })
  expect(stdout.trim()).toBe('401')
  expect(readme).toContain('it prints 401')
})
