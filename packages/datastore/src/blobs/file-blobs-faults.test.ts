import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { StoreError } from '../work/store-error.ts'
import { type Fault, type FaultyFiles, failEach, faults } from '../testing/faulty-files.ts'
import type { BlobStat, Blobs } from './blobs.ts'
import { fileBlobs } from './file-blobs.ts'

const { files } = await vi.hoisted(async () => {
  const { createFaultyFiles } = await import('../testing/faulty-files.ts')
  return { files: createFaultyFiles() as FaultyFiles }
})
vi.mock('node:fs/promises', async (original) => files.wrap(await original()))

/** An attempt that may fail, as the store says it. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError)
    return undefined
  }
}

async function textOf(blobs: Blobs, digest: string): Promise<string | undefined> {
  const content = await blobs.get(digest)
  return content && Buffer.concat(await content.toArray()).toString()
}

async function* inPieces(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** Contents come in at once and in pieces, some again, some are not kept, some deleted. Returns what was acknowledged, by digest. */
async function live(root: string, blobs: Blobs): Promise<Map<string, string>> {
  const kept = new Map<string, string>()
  const acknowledge = (text: string, stat: BlobStat | undefined) => {
    if (stat === undefined) return
    kept.set(stat.digest, text)
    const folder = join(root, stat.digest.slice(0, 2), stat.digest.slice(2, 4))
    for (const above of [folder, dirname(folder), root])
      expect(files.unsynced, 'a power cut takes nothing acknowledged away').not.toContain(above)
  }
  const put = async (text: string) => acknowledge(text, await attempt(() => blobs.put(Buffer.from(text))))
  await put('first')
  await put('first')
  const staged = await attempt(() => blobs.stage(inPieces('in ', 'pieces')))
  await attempt(async () => {
    await staged?.keep()
    acknowledge('in pieces', staged)
  })
  await attempt(async () => staged?.drop())
  const given = `${root}-given`
  writeFileSync(given, 'a file')
  const taken = await attempt(() => blobs.stageFile(given))
  await attempt(async () => {
    await taken?.keep()
    acknowledge('a file', taken)
  })
  await attempt(async () => taken?.drop())
  rmSync(given, { force: true })
  await attempt(async () => (await blobs.stage(Buffer.from('not kept'))).drop())
  for (const digest of kept.keys()) expect([undefined, kept.get(digest)]).toContain(await attempt(() => textOf(blobs, digest)))
  for (const [digest, text] of kept)
    if (text === 'first' && (await attempt(() => blobs.delete(digest).then(() => true)))) kept.delete(digest)
  await put('last')
  return kept
}

/** Fails one operation; true when it was reached. */
async function trial(fault: Fault, root: string): Promise<boolean> {
  const openBefore = files.open
  const blobs = fileBlobs(root)
  files.begin(fault)
  const kept = await live(root, blobs)
  const { failed } = files
  files.begin()
  await blobs.put(Buffer.from('after'))
  for (const [digest, text] of kept) expect(await textOf(blobs, digest)).toBe(text)
  for await (const { digest } of blobs.list())
    expect(['first', 'in pieces', 'a file', 'last', 'after']).toContain(await textOf(blobs, digest))
  await blobs.sweepStaged(Infinity)
  expect(readdirSync(join(root, 'incoming'))).toEqual([])
  expect(files.open, 'files left open').toBe(openBefore)
  return failed
}

test.each(faults)(
  'whichever file operation %s, no kept blob is lost, none is incomplete, and the store works afterwards',
  async (_, how) => {
    expect(await failEach(how, trial)).toBeGreaterThan(40)
  },
)
