import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dataFolderKey, unpackFolder } from '../testing/data-folders/data-folder.ts'
import { runCommand, runCommandHere, startCommand } from '../testing/run-command.ts'

interface Finding {
  name: string
  state: string
  detail: string
}

test('a server reports a damaged journal and refuses a new database beside old tables, until a person repairs it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-damage-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  unpackFolder('journal-of-a-killed-server', folder)
  const dataDir = join(folder, 'data')
  const environment = { HEDDLE_DATA_DIR: dataDir, HEDDLE_API_KEY: dataFolderKey, HEDDLE_PORT: '0' }
  const journal = join(dataDir, 'engine', 'journal', 'calls')
  const rowsFile = (await readdir(journal)).find((name) => name.endsWith('.rows')) ?? ''
  const rows = await readFile(join(journal, rowsFile))
  rows[20] = (rows[20] ?? 0) ^ 1
  await writeFile(join(journal, rowsFile), rows)
  const serveOnce = async () => {
    const server = startCommand(['serve'], environment)
    try {
      await server.said('Any program')
    } finally {
      server.child.kill('SIGTERM')
      await server.ended
    }
    return server.note()
  }
  const journals = async () => {
    const { out, note } = await runCommandHere(['doctor', '--quick', '--json', '--url', 'http://127.0.0.1:9'], environment)
    expect(out, note).not.toBe('')
    return (JSON.parse(out) as Finding[]).find(({ name }) => name === 'Journals')
  }

  expect(await serveOnce()).toContain('journal ends in an incomplete block')
  expect(await readFile(join(journal, 'damaged', rowsFile))).toEqual(rows)
  expect(await journals()).toMatchObject({ state: 'warning', detail: expect.stringContaining('table calls') })

  for (const name of await readdir(dataDir)) if (name.startsWith('heddle.db')) await rm(join(dataDir, name))
  const refused = await runCommand(['serve'], environment)
  expect(refused.code).not.toBe(0)
  expect(refused.note).toContain('the stores do not belong together')
  expect(refused.note).toContain('heddle doctor --repair')
  await runCommandHere(['doctor', '--repair', '--url', 'http://127.0.0.1:9'], environment)
  expect(await serveOnce()).not.toContain('do not belong together')
}, 300_000)
