import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { writeNotices } from '../../.scripts/release/third-party-notices.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))

/** @typedef {{ getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }} Modules the bundler's information about modules */

/** @type {Map<string, Set<string>>} */
const closures = new Map()
/** A module with its transitive imports, except by import(). @param {string} id @param {Modules} modules */
function closureOf(id, modules) {
  const found = closures.get(id) ?? new Set([id])
  if (closures.has(id)) return found
  for (const one of found) for (const imported of modules.getModuleInfo(one)?.importedIds ?? []) found.add(imported)
  closures.set(id, found)
  return found
}

const ofTraces = /[\\/](?:pages|features)[\\/](?:trace[\\/][^\\/]+|calls[\\/]call-peek\.tsx)$/
const ofCharts = /[\\/](?:src[\\/]plot[\\/](?!strip|tip)|node_modules[\\/](?:d3-[a-z]+|internmap)[\\/])/

/**
 * Shared code is split by its dependencies: a page without traces and charts loads neither.
 * @param {string} name @param {{ traces: boolean, charts: boolean }} brings
 */
const partsThat = (name, { traces, charts }) => ({
  debugName: name,
  /** @param {string} id @param {Modules} modules */
  name: (id, modules) => {
    if (/[\\/]papaparse[\\/]/.test(id)) return null
    const all = [...closureOf(id, modules)]
    return all.some((one) => ofTraces.test(one)) === traces && all.some((one) => ofCharts.test(one)) === charts ? name : null
  },
  minShareCount: 3,
})

/**
 * Code that several pages need is in few files: a page with thirty small files waits for each of them, six at a time. The code of the first page is
 * one file; then follow the list of traces, the pages of traces, and everything that at least three other pages share, except the CSV reader.
 */
const chunks = [
  { name: 'first', tags: /** @type {'$initial'[]} */ (['$initial']), priority: 50 },
  // Lists of traces read the status and usage of calls; the rest of the model is loaded with a trace.
  { name: 'usage', test: /[\\/](?:trace-model[\\/]src[\\/](?:calls|usage)|core-api[\\/]src[\\/]tracing[\\/]calls)[\\/]/, priority: 45 },
  { name: 'trace-model', test: /[\\/]trace-model[\\/]src[\\/](?:messages|settle|tree)[\\/]/, priority: 40 },
  // Panels next to the list are loaded on demand, as is the trace.
  {
    name: 'calls',
    test: /[\\/](?:pages|features)[\\/]calls[\\/](?!call-peek|calls-columns-menu|calls-menu|calls-footer|calls-strip|live-bar|texts-of-call)[^\\/]+$|[\\/]trace-parts\.ts$/,
    priority: 30,
  },
  { name: 'trace', test: ofTraces, priority: 20 },
  // Components for texts and values of calls; lists show none.
  { name: 'texts', test: /[\\/]src[\\/]ui[\\/](?:chat|clamp|code|diff|fold|json-view)\.tsx$/, priority: 29 },
  // Components used by several parts, independent of any page.
  { name: 'ui', test: /[\\/]src[\\/]ui[\\/](?!table)[^\\/]+(?<!-parts)\.tsx?$/, priority: 29 },
  // Components that the list of traces does not use.
  {
    name: 'ui-apart',
    test: /[\\/]src[\\/]ui[\\/](?:chat|code|diff|form-select|json-view|meter|radios|stat|text-button)\.tsx$/,
    priority: 29,
  },
  // Menus, selects and dialogs are loaded when they are first touched, or when the page is idle.
  { name: 'overlays', test: /[\\/]@(?:ariakit|floating-ui)[\\/]|[\\/]ui[\\/][^\\/]+-parts\.tsx$/, priority: 26 },
  // Charts with axes, and names of metrics, are wanted by many pages, but not by the lists of traces, which load the parts of all pages.
  { name: 'plot', test: ofCharts, priority: 15 },
  { name: 'curves', test: /[\\/]features[\\/]curves[\\/]/, minShareCount: 2, priority: 10 },
  { ...partsThat('parts', { traces: false, charts: false }), priority: 25 },
  { ...partsThat('parts-of-charts', { traces: false, charts: true }), priority: 8 },
  { ...partsThat('parts-of-traces', { traces: true, charts: false }), priority: 7 },
  { ...partsThat('parts-of-both', { traces: true, charts: true }), priority: 6 },
]

/** Chunks that most pages request as soon as the entry runs: the browser fetches and compiles them while it still reads the entry. */
const asked = ['calls', 'parts', 'usage']

/** @type {import('vite').Plugin} */
const preloads = {
  name: 'preload-asked-chunks',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle)
        .filter((file) => file.type === 'chunk' && asked.includes(file.name))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          injectTo: /** @type {const} */ ('head'),
        })),
  },
}

/**
 * No schemas in the pages: the server checks values, and to build those of the contract takes a page 50 to 100 ms.
 * @type {import('vite').Plugin}
 */
const noSchemas = {
  name: 'no-schemas',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      const found = Object.keys(file.modules).find((id) => /[\\/]zod[\\/]/.test(id) && (file.modules[id]?.renderedLength ?? 0) > 0)
      if (found) this.error(`${file.fileName} holds ${found}: import from @heddle/core-api what has no schema, such as its routes`)
    }
  },
}

// Styles name these, which the bundler does not count as modules.
const inStyles = ['@fontsource-variable/geist', '@fontsource-variable/geist-mono', 'tailwindcss'].map((name) =>
  join(root, 'node_modules', name, 'package.json'),
)

const compressed = /\.(?:js|css|html|svg)$/
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/**
 * Static files with hashed names, which the server serves, and their manifest; none of them is inlined, since the content policy allows files of the
 * server alone.
 * @param {string} outDir
 */
export async function buildPages(outDir) {
  const notices = writeNotices({ file: join(outDir, 'THIRD_PARTY_NOTICES.txt'), also: inStyles })
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    plugins: [react(), tailwindcss(), preloads, noSchemas, notices],
    resolve: { alias: { 'decode-named-character-reference': join(root, 'src/features/markdown/named-characters.ts') } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      manifest: 'manifest.json',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      sourcemap: false,
      rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
    },
  })
  await makeReferencesAbsolute(join(outDir, 'index.html'))
  await compressAll(outDir)
}

/**
 * Scripts and styles reference other files relative to themselves, so that they work under any path. The page is opened at many paths, so its
 * references are absolute; the server prefixes its base path.
 * @param {string} page
 */
async function makeReferencesAbsolute(page) {
  await writeFile(page, (await readFile(page, 'utf8')).replaceAll('"./', '"/'))
}

/** @param {string} folder */
async function compressAll(folder) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!compressed.test(name)) continue
    const path = join(folder, name)
    const bytes = await readFile(path)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotli))
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}
