import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { clientOf, dataFolderKey, folderNames, type ListedFolder, unpackFolder } from '../testing/data-folders/data-folder.ts'
import { takeInventory } from '../testing/data-folders/inventory.ts'
import { type RunningCommand, runCommandHere, startCommand } from '../testing/run-command.ts'
import { findAbandonedCopies } from './abandoned-copies.ts'
import { copiesFolder } from './copy-tables.ts'

vi.setConfig({ testTimeout: trials({ usual: 300_000, long: 3_600_000 }) })
const patience = { timeout: 60_000, interval: 50 }

let folder: string
let kept: ListedFolder
/** How long a server takes to start over the folder of the earlier version. */
let startMs: number
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-killed-'))
  kept = unpackFolder(folderNames[0] ?? '', folder)
  // Most tests are of folders that this version has opened before: that is done once for all of them.
  cpSync(at('data'), at('opened'), { recursive: true })
  const startedAt = performance.now()
  const command = start(['serve'], 'opened')
  await command.said('Any program')
  startMs = performance.now() - startedAt
  command.child.kill('SIGTERM')
  expect(await command.ended).toBe(0)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

const environmentOf = (data: string, port = '0') => ({ HEDDLE_DATA_DIR: at(data), HEDDLE_API_KEY: dataFolderKey, HEDDLE_PORT: port })
const start = (args: readonly string[], data: string, port?: string) => startCommand(args, environmentOf(data, port))
/** A command that is not killed. */
const runHere = (args: readonly string[], data: string, port?: string) => runCommandHere(args, environmentOf(data, port))

/** Starts a command over a data folder; it is ended with the test. */
function run(args: readonly string[], data: string, port?: string): RunningCommand {
  const command = start(args, data, port)
  onTestFinished(() => kill(command))
  return command
}

async function kill({ child, ended }: RunningCommand): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await ended
}

/** Resolves when a step is shown, or the command has ended. */
async function reach(command: RunningCommand, step: string): Promise<void> {
  const { child } = command
  while (!command.note().includes(step) && child.exitCode === null && child.signalCode === null) await delay(5)
}

async function serve(data: string): Promise<{ command: RunningCommand; url: string; port: string }> {
  const command = run(['serve'], data)
  await command.said('Any program')
  const [url = '', port = ''] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(command.out()) ?? []
  return { command, url, port }
}

/** A server over the folder has all that the version before has read, and ends in order. */
async function expectAll(data: string): Promise<void> {
  const { command, url } = await serve(data)
  expect(await takeInventory(clientOf(url), kept.written)).toMatchObject(kept.inventory)
  command.child.kill('SIGTERM')
  expect(await command.ended).toBe(0)
}

const copiesIn = (data: string) => (existsSync(copiesFolder(at(data))) ? readdirSync(copiesFolder(at(data))) : [])
const besides = (name: string) => readdirSync(folder).filter((each) => each.startsWith(`${name}.`))

const backupSteps = [
  'Copying table feedback',
  'Copying table calls',
  'Copying relational data',
  'Copying table object_values',
  'Copying blobs',
  'Hashing',
]
const restoreSteps = [
  'Checking files',
  'Restoring blobs',
  'Restoring table calls',
  'Restoring table tables',
  'Checking references',
  'Writing to disk',
]

/** Kills restores of a backup, which leave no data folder; the last one removes what they left, and has all. */
async function restoreAfterKills(name: string): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...restoreSteps), async (step) => {
      const restore = run(['restore', at(name)], 'new')
      await reach(restore, step)
      await kill(restore)
      // It takes its place in one step: what ended before it was killed is whole.
      if (existsSync(at('new'))) await expectAll('new')
      rmSync(at('new'), { recursive: true, force: true })
    }),
    { numRuns: 30 },
  )
  const last = run(['restore', at(name)], 'new')
  expect(await last.ended).toBe(0)
  expect(besides('new')).toEqual([])
  await expectAll('new')
  rmSync(at('new'), { recursive: true })
}

const kills = 3

/** Once is enough for every run, and part of the test of data folders. */
test.each(inject('long') ? ['a data folder of an earlier version'] : [])(
  '%s whose server is killed on its way up, again and again, opens with all that is in it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: kills, maxLength: kills }), async (moments) => {
        cpSync(at('data'), at('migrated'), { recursive: true })
        for (const moment of moments) {
          const command = run(['serve'], 'migrated')
          await delay(startMs * moment)
          await kill(command)
        }
        await expectAll('migrated')
        rmSync(at('migrated'), { recursive: true })
      }),
      { numRuns: 30 },
    )
  },
)

test.each(inject('long') ? ['a killed backup'] : [])(
  '%s does not affect the running server, leaves nothing in its data folder and cannot be restored; the next one is complete, and so is its restore after others were killed, which leave no data folder',
  async () => {
    cpSync(at('opened'), at('served'), { recursive: true })
    const { command, url, port } = await serve('served')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...backupSteps), async (step) => {
        const target = `killed-${step.replaceAll(' ', '-')}`
        // Killed again where it was complete before the signal came.
        do {
          rmSync(at(target), { recursive: true, force: true })
          // While the copies of the one before are there, the next is refused before it writes anything.
          await expect.poll(() => copiesIn('served'), patience).toEqual([])
          const backup = run(['backup', at(target)], 'served', port)
          await reach(backup, step)
          await kill(backup)
        } while (!existsSync(at(target)) || existsSync(join(at(target), 'manifest.json')))
        await expect.poll(() => copiesIn('served'), patience).toEqual([])
        const check = await runHere(['restore', at(target), '--verify'], 'served', port)
        expect(check).toMatchObject({ code: 2, note: expect.stringContaining('the backup did not finish') })
        // A backup lowers the priority of its process.
        const again = run(['backup', at(target)], 'served', port)
        expect(await again.ended).toBe(2)
        expect(again.note()).toContain('has a backup that did not finish')
        expect(await takeInventory(clientOf(url), kept.written)).toMatchObject(kept.inventory)
      }),
      { numRuns: 24 },
    )
    const next = run(['backup', at('whole')], 'served', port)
    expect(await next.ended).toBe(0)
    await kill(command)
    await restoreAfterKills('whole')
  },
)

test.each(inject('long') ? ['a data folder of an earlier version'] : [])(
  'a backup of %s is restored whole after restores were killed',
  async () => {
    const made = run(['backup', at('of-earlier')], 'data')
    expect(await made.ended).toBe(0)
    await restoreAfterKills('of-earlier')
  },
)

test('what a backup without a server left when it was killed is found by doctor, and removed by the next server', async () => {
  cpSync(at('opened'), at('alone'), { recursive: true })
  const backup = run(['backup', at('of-alone')], 'alone')
  await reach(backup, 'Copying table calls')
  await kill(backup)
  // As after the two minutes in which another backup might still run.
  rmSync(at('alone/backup-running'), { force: true })
  const left = await findAbandonedCopies(at('alone'))
  expect(left.map((path) => basename(path))).toEqual(copiesIn('alone'))
  const doctor = await runHere(['doctor', '--quick'], 'alone')
  for (const path of left) expect(doctor.out).toContain(path)
  const { command } = await serve('alone')
  await expect.poll(() => copiesIn('alone'), patience).toEqual([])
  await kill(command)
})
