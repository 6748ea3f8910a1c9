// npm takes no notice of `publishConfig.exports` and `workspace:*`, which pnpm puts in place while it packs. The scripts of a published package
// call this around npm: `apply` after the build, `restore` once npm has what it packed. With pnpm both do nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const pnpmTimeoutMs = 120_000
const manifestPath = 'package.json'
// Both texts of the manifest while npm packs, to distinguish an interrupted packing from an edit.
const keptPath = 'node_modules/.packed-manifest.json'

const [action] = process.argv.slice(2)
if (action === 'apply') apply()
else if (action === 'restore') restoreAfterNpm()
else throw new Error(`packed-manifest.mjs takes 'apply' or 'restore', not ${JSON.stringify(action)}`)

/** Replaces package.json of this folder by the one that pnpm would pack. */
function apply() {
  if (process.env['npm_config_user_agent']?.startsWith('pnpm/')) return
  restore()
  const source = readFileSync(manifestPath, 'utf8')
  const packed = JSON.parse(manifestOfPnpm())
  const { postpack, postpublish } = JSON.parse(source).scripts
  // npm reads the scripts again before it publishes, and would not find the one that restores.
  const applied = `${JSON.stringify({ ...packed, scripts: { ...packed.scripts, postpack, postpublish } }, null, 2)}\n`
  replaceFile(keptPath, JSON.stringify({ source, applied }))
  replaceFile(manifestPath, applied)
}

/** npm runs `postpack` before it sends the manifest to the registry, so while it publishes only `postpublish` restores. */
function restoreAfterNpm() {
  if (process.env['npm_command'] === 'publish' && process.env['npm_lifecycle_event'] === 'postpack') return
  restore()
}

/** @throws {Error} when package.json was edited after an interrupted packing: neither text may be lost */
function restore() {
  if (!existsSync(keptPath)) return
  const { source, applied } = JSON.parse(readFileSync(keptPath, 'utf8'))
  const present = readFileSync(manifestPath, 'utf8')
  if (present !== source && present !== applied)
    throw new Error(
      `${manifestPath} was edited after packing it was interrupted: repair it by hand from 'source' in ${keptPath}, and remove that file`,
    )
  replaceFile(manifestPath, source)
  rmSync(keptPath)
}

function manifestOfPnpm() {
  const folder = mkdtempSync(join(tmpdir(), 'packed-manifest-'))
  try {
    const archive = join(folder, 'package.tgz')
    const options = { env: withoutNpmOptions(), timeout: pnpmTimeoutMs }
    execFileSync('pnpm', ['pack', '--config.ignore-scripts=true', '--out', archive], options)
    return execFileSync('tar', ['-xzOf', archive, 'package/package.json'], { ...options, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** pnpm takes the options of npm, such as `--dry-run`, from the environment. */
function withoutNpmOptions() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_config_')))
}

/** Replaces a file whole or not at all. @param {string} path @param {string} text */
function replaceFile(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}
