// npm run release:publish: publishes each package whose version the registry does not have, with provenance. Run by the release workflow alone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from './execute.mjs'
import { packPackage, publishedPackages } from './published-packages.mjs'
import { install } from '../install.mjs'
import { projectRoot } from '../project-root.mjs'
import { fail } from '../terminal/fail.mjs'

const minute = 60_000
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env
if (server === undefined || repository === undefined)
  fail(
    'release:publish runs in the release workflow, which signs where a package was built. To try a release, run "npm run release:rehearse".',
  )

await install()
const archives = mkdtempSync(join(tmpdir(), 'heddle-release-'))
for (const one of publishedPackages()) {
  const title = `${one.name} ${one.version}`
  if (await isPublished(one)) {
    process.stdout.write(`- ${title} is published already\n`)
    continue
  }
  nameRepository(one)
  const archive = await packPackage(one, archives)
  await npm(['publish', archive, '--provenance', '--access', 'public', '--ignore-scripts'])
  process.stdout.write(`✓ ${title}\n`)
}
rmSync(archives, { recursive: true })

/** @param {import('./published-packages.mjs').PublishedPackage} one @returns {Promise<boolean>} */
async function isPublished({ name, version }) {
  try {
    return (await npm(['view', `${name}@${version}`, 'version'])).trim() === version
  } catch (error) {
    // The package was never published.
    if (String(error).includes('E404')) return false
    throw error
  }
}

/** The registry compares what the package names with where it was built. @param {import('./published-packages.mjs').PublishedPackage} one */
function nameRepository({ folder }) {
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const directory = folder.slice(projectRoot.length).replace(/^\//, '')
  writeFileSync(
    path,
    JSON.stringify({ ...manifest, repository: { type: 'git', url: `git+${server}/${repository}.git`, directory } }, null, 2),
  )
}

/** @param {string[]} args */
function npm(args) {
  return execute(['npm', ...args], { cwd: projectRoot, timeoutMs: 5 * minute })
}
