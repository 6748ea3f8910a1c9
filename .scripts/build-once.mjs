import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf } from './hash-of.mjs'
import { projectRoot } from './project-root.mjs'

/** Builds of one name that are kept: for tests and for users, before and after a change. */
const mostKept = 4

/**
 * Fills a folder with what a build makes, or with what it made before if nothing has changed that it is made from.
 * @param {object} options
 * @param {string} options.name
 * @param {readonly string[]} options.sources all files and folders that the build reads, besides installed packages
 * @param {string} options.folder is emptied first
 * @param {(folder: string) => Promise<void>} options.build writes into an empty folder
 * @param {string} [options.keptIn] where builds are kept
 */
export async function buildOnce({ name, sources, folder, build, keptIn = join(projectRoot, 'node_modules', '.heddle-kept-builds') }) {
  const environment = `${process.version}-${process.env['NODE_ENV'] ?? 'production'}`
  const kept = join(keptIn, `${name}-${environment}-${hashOf(sources).slice(0, 32)}`)
  if (!existsSync(kept)) {
    await mkdir(keptIn, { recursive: true })
    await removeOldest(keptIn, `${name}-`)
    await make(kept, build)
  }
  await rm(folder, { recursive: true, force: true })
  await cp(kept, folder, { recursive: true })
}

/** The folder has all that was built or is not there. @param {string} kept @param {(folder: string) => Promise<void>} build */
async function make(kept, build) {
  const making = `${kept}.${randomUUID()}`
  await mkdir(making)
  try {
    await build(making)
    // Another process may have been faster.
    await rename(making, kept).catch((error) => {
      if (!existsSync(kept)) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** @param {string} keptIn @param {string} prefix */
async function removeOldest(keptIn, prefix) {
  const paths = (await readdir(keptIn)).filter((name) => name.startsWith(prefix)).map((name) => join(keptIn, name))
  const builds = await Promise.all(paths.map(async (path) => ({ path, madeAt: (await stat(path)).mtimeMs })))
  builds.sort((one, other) => other.madeAt - one.madeAt)
  for (const { path } of builds.slice(mostKept - 1)) await rm(path, { recursive: true, force: true })
}

/**
 * What determines a build of a private package: its folder, those of the workspace's packages that it needs, directly or not, and the versions of all others.
 * @param {string} folder of the package
 */
export async function sourcesOf(folder) {
  const folders = new Set([await realpath(folder)])
  for (const one of folders) {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(one, 'package.json'), 'utf8'))
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      if (String(version).startsWith('workspace:')) folders.add(await realpath(join(one, 'node_modules', name)))
  }
  const ofAll = ['pnpm-lock.yaml', 'tsconfig.base.json', '.scripts/release/third-party-notices.mjs', '.scripts/web-chunks'].map((name) =>
    join(projectRoot, name),
  )
  return [...folders, ...ofAll]
}
