import { execFile } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { bundledPackages, installedPackages, noticesText } from '../../.scripts/release/third-party-notices.mjs'
import { directImports } from './direct-imports.mjs'

const bannerRequireOfTracing = createRequire(new URL('../tracing/package.json', import.meta.url))
// node build.mjs [<folder> [<name>=<further entry> …]]
const [outdir = 'dist', ...further] = process.argv.slice(2)

const testServer = 'src/test-server/create-test-server.ts'

// Native code, and what is loaded only where it is configured or called, stays what npm installs; all else is in the bundle, which loads faster. Without `nice`, threads run at the usual priority.
const external = ['@napi-rs/nice', 'chdb', 'cli-table3', 'commander', 'koffi', 'libsql', 'pg', 'pg-native']

// Bundled CommonJS modules use these of Node.
const banner = `import { createRequire as bannerRequireOf } from 'node:module'
import { dirname as bannerFolderOf } from 'node:path'
import { fileURLToPath as bannerPathOf } from 'node:url'
const require = bannerRequireOf(import.meta.url)
const __filename = bannerPathOf(import.meta.url)
const __dirname = bannerFolderOf(__filename)`

const { metafile } = await build({
  entryPoints: {
    main: 'src/main.ts',
    testing: testServer,
    'engine-child': '../../packages/datastore/src/analytical/engine/engine-child.ts',
    'zstd-thread': '../../packages/service-kit/src/request/zstd/zstd-thread.ts',
    'span-worker': '../tracing/src/views/otel/span-worker.ts',
    'body-thread': '../training/src/body-thread.ts',
    'prompt-thread': '../training/src/resources/chat-completions/prompt-threads/prompt-thread.ts',
    'model-engine-child': '../training/src/engine/embedded/process/model-engine-child.ts',
    'constraint-worker': '../training/src/engine/embedded/process/constraint-worker.ts',
    'decode-worker': '../training/src/engine/embedded/process/decode-worker.ts',
    'pass-worker': '../training/src/engine/embedded/process/pass-worker.ts',
    // The pool of threads looks for its own half under this name, beside itself.
    worker: join(dirname(bannerRequireOfTracing.resolve('piscina')), 'worker.js'),
    ...Object.fromEntries(further.map((entry) => entry.split('='))),
  },
  outdir,
  external,
  bundle: true,
  plugins: [directImports],
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'linked',
  legalComments: 'linked',
  logLevel: 'warning',
  banner: { js: banner },
  metafile: true,
})

// The public entry declares its types in one file, which names nothing of others.
const { outputText: types } = ts.transpileDeclaration(await readFile(testServer, 'utf8'), {})
if (/\bimport\b/.test(types)) throw new Error(`the types of ${testServer} must not import others:\n${types}`)
await writeFile(join(outdir, 'testing.d.ts'), types)

// Models to train from, which the server looks for beside its entry.
const baseModels = join(outdir, 'base-models')
await rm(baseModels, { recursive: true, force: true })
await cp(new URL('../training/base-models/', import.meta.url), baseModels, { recursive: true })

// The pages of the web UI, which the server looks for there too.
await promisify(execFile)(process.execPath, ['build.mjs', resolve(outdir, 'web')], { cwd: new URL('../web/', import.meta.url) })

// The documentation, which the server serves at /docs.
await promisify(execFile)(process.execPath, ['--import', 'tsx', 'build.mjs', resolve(outdir, 'docs')], {
  cwd: new URL('../docs/', import.meta.url),
})

// Those of the pages are in their folder. The engine is installed beside.
const modules = Object.keys(metafile.inputs).map((path) => resolve(path))
const notices = noticesText({ bundled: bundledPackages(modules), installed: installedPackages(process.cwd()) })
await writeFile(join(outdir, 'THIRD_PARTY_NOTICES.txt'), notices)

// What an earlier build left goes last: a server that runs meanwhile may still load its parts.
const written = new Set([
  'testing.d.ts',
  'THIRD_PARTY_NOTICES.txt',
  'base-models',
  'docs',
  'web',
  ...Object.keys(metafile.outputs).map((path) => basename(path)),
])
for (const name of await readdir(outdir)) if (!written.has(name)) await rm(join(outdir, name), { recursive: true })
