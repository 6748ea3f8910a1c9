import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import '@heddle/testing'
import { expect, inject, test } from 'vitest'
import { writeCorpus } from './testing/data-folders/corpus.ts'
import { clientOf, dataFolderKey, folderNames, unpackFolder } from './testing/data-folders/data-folder.ts'
import { takeInventory } from './testing/data-folders/inventory.ts'
import { startCommand } from './testing/run-command.ts'

/** A start that is cut while the stores take their steps, in a folder that the next start opens all the same. */
async function killOnTheWayUp(environment: { HEDDLE_DATA_DIR: string }): Promise<void> {
  const { child, ended, note } = startCommand(['serve'], { ...environment })
  const isEngineUp = () => existsSync(join(environment.HEDDLE_DATA_DIR, 'engine', 'engine.sock'))
  while (!isEngineUp() && child.exitCode === null) await delay(5)
  child.kill('SIGKILL')
  expect(await ended, note()).toBeNull()
}

/** Every run has the one whose stores take all steps: that of the first version. */
const folders = inject('long') ? folderNames : folderNames.slice(0, 1)

test.concurrent.for(folders)(
  'the data folder "%s" of an earlier version opens with all that is in it, and takes more of every kind',
  { timeout: 240_000 },
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'heddle-folder-'))
    const { inventory, written, ending } = unpackFolder(name, folder)
    const environment = { HEDDLE_DATA_DIR: join(folder, 'data'), HEDDLE_API_KEY: dataFolderKey, HEDDLE_PORT: '0' }
    if (name === folderNames[0]) await killOnTheWayUp(environment)
    let server = startCommand(['serve'], environment)
    try {
      await server.said('Any program')
      const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(server.out())?.[0] ?? ''
      expect(await takeInventory(clientOf(url()), written)).toMatchObject(inventory)
      const more = await writeCorpus(clientOf(url()))
      expect(more.unknown).toEqual([])
      const whole = await takeInventory(clientOf(url()), more)
      // What was there stays, and is not doubled.
      for (const kind of ['calls', 'files', 'tables']) if (inventory[kind]) expect(whole[kind]).toEqual(inventory[kind])
      server.child.kill('SIGTERM')
      await server.ended
      server = startCommand(['serve'], environment)
      await server.said('Any program')
      expect(await takeInventory(clientOf(url()), more), `after a restart, made by a server that was ${ending}`).toEqual(whole)
    } finally {
      server.child.kill('SIGKILL')
      await server.ended
      await rm(folder, { recursive: true })
    }
  },
)
