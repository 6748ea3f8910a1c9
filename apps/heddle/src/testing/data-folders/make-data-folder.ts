import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startServerProcess } from '@heddle/testing'
import type { TracingClient } from '../../connect.ts'
import { writeCorpus } from './corpus.ts'
import { clientOf, dataFolderKey, type ListedFolder } from './data-folder.ts'
import { takeInventory } from './inventory.ts'

// Makes a data folder as a checkout of some version leaves it, with what is in it, for the test that opens it with the code of today:
// `npx tsx apps/heddle/src/testing/data-folders/make-data-folder.ts <checkout, installed> <name> [killed]`
const [checkout = '', name = '', ending = 'stopped'] = process.argv.slice(2)
const main = join(checkout, 'apps/heddle/src/main.ts')
const place = fileURLToPath(new URL('folders/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'heddle-folder-'))

/** Does some work on a server over a folder, and stops or kills it. */
async function withServer<T>(dataDir: string, ending: 'stop' | 'kill', work: (client: TracingClient) => Promise<T>): Promise<T> {
  const env = { ...process.env, HEDDLE_DATA_DIR: join(folder, dataDir), HEDDLE_API_KEY: dataFolderKey, HEDDLE_PORT: '0' }
  const server = await startServerProcess({ args: ['--import', 'tsx', main, 'serve'], env, cwd: checkout })
  try {
    return await work(clientOf(server.url))
  } finally {
    await server[ending]()
  }
}

try {
  const { unknown, written, inventory } = await withServer('data', 'stop', async (client) => {
    const { unknown, ...written } = await writeCorpus(client)
    return { unknown, written, inventory: await takeInventory(client, written) }
  })
  if (ending === 'killed') {
    // Reading has emptied the journal, so the folder is kept before any read.
    rmSync(join(folder, 'data'), { recursive: true })
    await withServer('data', 'kill', writeCorpus)
  }
  const commit = execFileSync('git', ['-C', checkout, 'rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim()
  const listed: ListedFolder = { commit, ending, unknown, written, inventory }
  writeFileSync(join(place, `${name}.json`), `${JSON.stringify(listed, null, 2)}\n`)
  const archive = join(place, `${name}.tar.gz`)
  execFileSync('tar', ['-I', 'gzip -9', '-cf', archive, '--exclude=*.sock', '--exclude=status', '-C', folder, 'data'])
  process.stdout.write(`${readdirSync(place).join(' ')}; not known to that version: ${unknown.join(', ') || 'nothing'}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
