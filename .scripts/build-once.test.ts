import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildOnce, sourcesOf } from './build-once.mjs'
import { projectRoot } from './project-root.mjs'

async function newBuild() {
  const folder = await mkdtemp(join(tmpdir(), 'build-once-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const source = join(folder, 'source.txt')
  const keptIn = join(folder, 'kept')
  await writeFile(source, 'first')
  const build = vi.fn<(into: string) => Promise<void>>(async (into) => writeFile(join(into, 'built.txt'), await readFile(source)))
  const fill = (into: string, name = 'pages') =>
    buildOnce({ name, sources: [source], folder: join(folder, into), build, keptIn }).then(() =>
      readFile(join(folder, into, 'built.txt'), 'utf8'),
    )
  return { source, keptIn, build, fill, folder }
}

test('the same sources are built once, into every folder', async () => {
  const { build, fill } = await newBuild()
  expect([await fill('one'), await fill('other'), await fill('one')]).toEqual(['first', 'first', 'first'])
  expect(build).toHaveBeenCalledOnce()
})

test('changed sources are built again, and what the folder had is gone', async () => {
  const { source, folder, fill } = await newBuild()
  await fill('one')
  await writeFile(join(folder, 'one', 'left.txt'), '')
  await writeFile(source, 'second')
  expect(await fill('one')).toBe('second')
  expect(await readdir(join(folder, 'one'))).toEqual(['built.txt'])
})

test('what depends on the environment is built for each', async () => {
  const { build, fill } = await newBuild()
  await fill('one')
  vi.stubEnv('NODE_ENV', 'another')
  onTestFinished(() => void vi.unstubAllEnvs())
  await fill('one')
  expect(build).toHaveBeenCalledTimes(2)
})

test('a build that fails is not kept, and is tried again', async () => {
  const { build, keptIn, fill } = await newBuild()
  build.mockRejectedValueOnce(new Error('no such page'))
  await expect(fill('one')).rejects.toThrow('no such page')
  expect(await readdir(keptIn)).toEqual([])
  expect(await fill('one')).toBe('first')
})

test('builds at the same time leave one', async () => {
  const { keptIn, fill } = await newBuild()
  expect(await Promise.all([fill('one'), fill('other'), fill('third')])).toEqual(['first', 'first', 'first'])
  expect(await readdir(keptIn)).toHaveLength(1)
})

test('the last four builds of a name are kept', async () => {
  const { source, build, keptIn, fill } = await newBuild()
  await fill('of-others', 'others')
  for (const text of ['1', '2', '3', '4', '5', '6']) {
    await writeFile(source, text)
    expect(await fill('one')).toBe(text)
  }
  expect((await readdir(keptIn)).filter((name) => name.startsWith('pages-'))).toHaveLength(4)
  expect(build).toHaveBeenCalledTimes(7)
  await fill('of-others', 'others')
  await writeFile(source, '6')
  await fill('one')
  expect(build).toHaveBeenCalledTimes(8)
})

test('a package is made from its own sources, those of all packages that it needs, and the versions of others', async () => {
  const sources = await sourcesOf(join(projectRoot, 'apps/docs'))
  const named = ['apps/docs', 'apps/web', 'packages/core-api', 'packages/json', 'pnpm-lock.yaml'].map((name) => join(projectRoot, name))
  expect(sources).toEqual(expect.arrayContaining(named))
})
