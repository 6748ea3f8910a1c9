import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installPlatformPackages, platformPackage } from './platform-packages.mjs'
import { projectRoot } from './project-root.mjs'

const machines = ['linux', 'darwin'].flatMap((platform) => ['x64', 'arm64'].map((arch) => ({ platform, arch })))

test.each(machines)('the engine of $platform on $arch is a package of its own, of one version with all others', (machine) => {
  const engine = join(projectRoot, 'apps/heddle/node_modules/chdb')
  const here = platformPackage(engine, { platform: 'linux', arch: 'x64' })
  expect(platformPackage(engine, machine)).toMatchObject({
    name: `@chdb/lib-${machine.platform}-${machine.arch}${machine.platform === 'linux' ? '-gnu' : ''}`,
    version: here?.version,
  })
})

test.each(machines)('the tools have a package for $platform on $arch', (machine) => {
  for (const tool of ['oxfmt', 'oxlint', 'turbo'])
    expect(platformPackage(join(projectRoot, 'node_modules', tool), machine)?.name).toMatch(machine.platform)
})

test('installs nothing on a platform without an engine package', () => {
  expect(platformPackage(join(projectRoot, 'apps/heddle/node_modules/chdb'), { platform: 'win32', arch: 'x64' })).toBeUndefined()
})

/** An installed package that needs `@native/lib-…`, in a folder of its own. */
function aPackage() {
  const root = mkdtempSync(join(tmpdir(), 'heddle-platform-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'node_modules', 'native')
  const optionalDependencies = { '@native/lib-darwin-arm64': '1.2.3', '@native/lib-linux-x64-gnu': '1.2.3' }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'native', optionalDependencies }))
  return { folders: [folder], store: join(root, 'store'), resolve: createRequire(join(folder, 'index.js')).resolve }
}

const fetchInto = vi.fn<(wanted: { name: string }, folder: string) => Promise<void>>(async ({ name }, folder) => {
  mkdirSync(join(folder, 'node_modules', name), { recursive: true })
  writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
  writeFileSync(join(folder, 'node_modules', name, 'index.js'), '')
})

test('what the lock file lacks for a machine is found by the package that needs it, and brought once', async () => {
  const { resolve, ...given } = aPackage()
  fetchInto.mockClear()
  const machine = { platform: 'darwin', arch: 'arm64' }
  expect(await installPlatformPackages({ ...given, machine, fetchInto })).toEqual([])
  expect(fetchInto.mock.calls[0]?.[0]).toMatchObject({ name: '@native/lib-darwin-arm64', version: '1.2.3' })
  expect(resolve('@native/lib-darwin-arm64')).toMatch(/index\.js$/)
  expect(await installPlatformPackages({ ...given, machine, fetchInto })).toEqual([])
  expect(fetchInto).toHaveBeenCalledTimes(1)
})

test('reports packages that cannot be installed, and retries them on the next run', async () => {
  const { resolve: _resolve, ...given } = aPackage()
  const error = new Error('404')
  const machine = { platform: 'darwin', arch: 'arm64' }
  const failed = await installPlatformPackages({ ...given, machine, fetchInto: () => Promise.reject(error) })
  expect(failed).toEqual([{ wanted: expect.objectContaining({ name: '@native/lib-darwin-arm64' }), error }])
  expect(await installPlatformPackages({ ...given, machine, fetchInto })).toEqual([])
})
