import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { writeNotices } from '../../.scripts/release/third-party-notices.mjs'
import { laterOfPages, modulesOf, partsOf, startsOfPages } from '../../.scripts/web-chunks/pages-of-bundle.mjs'
import { planChunks } from '../../.scripts/web-chunks/plan-chunks.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Chunks that a page fetches at most at its first load. */
const requests = 10
/**
 * Bytes of the code that a page fetches at its start, each part compressed by itself: about a tenth more than its chunks have. React as it is in
 * development is larger than that alone: pages with it have no limit, or too little of their code would be fetched together.
 */
const maxBytes = { calls: 205_000, page: 210_000 }
/** Pages that count as so many: what they fetch without need costs the most. */
const weights = {
  'calls-page': 7,
  'trace-page': 3,
  'shared-trace-page': 2,
  'playground-page': 2,
  'start-training-page': 2,
  'model-page': 2,
  'project-home': 2,
}
/** The page that is opened most, and what it fetches around its rows right after its start: with that, too, it fetches no more chunks. */
const mostOpened = { page: 'calls-page', around: '/src/pages/calls/around-list.ts' }

/** @type {import('vite').Rolldown.OutputBundle} */
let bundle = {}
/** @type {readonly string[]} */
let pages = []
let isForUsers = true
/** Notes what was built. @type {import('vite').Plugin} */
const note = {
  name: 'note-bundle',
  configResolved({ isProduction }) {
    isForUsers = isProduction
  },
  generateBundle(_options, built) {
    const router = [...this.getModuleIds()].find((id) => id.endsWith('/src/app/router.tsx'))
    const imported = (router && this.getModuleInfo(router)?.dynamicallyImportedIds) || []
    pages = imported.filter((id) => id.includes('/src/pages/'))
    if (pages.length === 0) this.error('src/app/router.tsx imports no pages')
    bundle = built
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

/**
 * Icons key their shapes by random words, which compress badly: numbers do as well.
 * @type {import('vite').Plugin}
 */
const numberedIcons = {
  name: 'numbered-icons',
  transform: {
    filter: { id: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/ },
    handler(code) {
      let shapes = 0
      return { code: code.replaceAll(/key: "\w+"/g, () => `key: ${shapes++}`), map: null }
    },
  },
}

// Styles name these, which the bundler does not count as modules.
const inStyles = ['@fontsource-variable/geist', '@fontsource-variable/geist-mono', 'tailwindcss'].map((name) =>
  join(root, 'node_modules', name, 'package.json'),
)
// Menus, selects and dialogs are loaded when they are first touched, or when the page is idle.
const overlays = { name: 'overlays', test: /[\\/]@(?:ariakit|floating-ui)[\\/]|[\\/]ui[\\/][^\\/]+-parts\.tsx$/, priority: 0 }
// Drawings with axes are loaded when the first of them is shown.
const drawings = {
  name: 'drawings',
  test: /[\\/]node_modules[\\/](?:d3-[a-z]+|internmap)[\\/]|[\\/]src[\\/]plot[\\/](?!strip|spark|tip)/,
  priority: 0,
}
const compressed = /\.(?:js|css|html|svg)$/
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/**
 * Static files with hashed names, which the server serves, and their manifest; none of them is inlined, since the content policy allows files of the
 * server alone. They are built twice: which code a page needs is known only when what it does not use is gone.
 * @param {string} outDir
 */
export async function buildPages(outDir) {
  await buildFiles({ outDir, plugins: [], splitting: true, write: false })
  const groups = groupsOf(bundle, startsOfPages(bundle, pages))
  const notices = writeNotices({ file: join(outDir, 'THIRD_PARTY_NOTICES.txt'), also: inStyles })
  await buildFiles({
    outDir,
    plugins: [noSchemas, notices],
    splitting: { includeDependenciesRecursively: false, groups: [...groups, overlays, drawings] },
    write: true,
  })
  await makeReferencesAbsolute(join(outDir, 'index.html'))
  await addPages(join(outDir, 'manifest.json'))
  await compressAll(outDir)
}

/** @param {string} manifest */
async function addPages(manifest) {
  const built = { chunks: JSON.parse(await readFile(manifest, 'utf8')), pages: Object.fromEntries(startsOfPages(bundle, pages)) }
  await writeFile(manifest, JSON.stringify(built))
}

/**
 * Code that is fetched together. @param {import('vite').Rolldown.OutputBundle} apart @param {Map<string, string[]>} starts
 */
function groupsOf(apart, starts) {
  const again = Object.entries(weights).flatMap(([page, count]) => Array.from({ length: count - 1 }, () => starts.get(page) ?? []))
  const limits = isForUsers ? [...starts.keys()].map((page) => (page === mostOpened.page ? maxBytes.calls : maxBytes.page)) : []
  const withAround = [...(starts.get(mostOpened.page) ?? []), fileOf(apart, mostOpened.around)]
  const counted = [...starts.values(), ...again, withAround]
  const planned = planChunks({ parts: partsOf(apart), pages: counted, later: laterOfPages(apart, starts), requests, maxBytes: limits })
  return planned.map(({ parts, pages: places }, index) => {
    const fetchedBy = places.filter((place) => place < starts.size)
    const modules = modulesOf(apart, parts)
    const [name = 'shared'] = fetchedBy.length === starts.size ? ['first'] : fetchedBy.length > 1 ? [] : namesOf(fetchedBy, starts)
    return { name, test: (/** @type {string} */ id) => modules.has(id), priority: planned.length - index }
  })
}

/** The chunk of a module. @param {import('vite').Rolldown.OutputBundle} apart @param {string} end @returns {string} */
function fileOf(apart, end) {
  const chunk = Object.values(apart).find((file) => file.type === 'chunk' && Object.keys(file.modules).some((id) => id.endsWith(end)))
  if (chunk === undefined) throw new Error(`the build has no module ${end}: correct build-pages.mjs`)
  return chunk.fileName
}

/** @param {readonly number[]} places @param {Map<string, string[]>} starts */
const namesOf = (places, starts) => [...starts.keys()].filter((_, place) => places.includes(place))

/**
 * @param {object} options
 * @param {string} options.outDir
 * @param {import('vite').Plugin[]} options.plugins
 * @param {import('vite').Rolldown.OutputOptions['codeSplitting']} options.splitting
 * @param {boolean} options.write
 */
const buildFiles = ({ outDir, plugins, splitting, write }) =>
  build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    plugins: [react(), tailwindcss(), numberedIcons, note, ...plugins],
    resolve: { alias: { 'decode-named-character-reference': join(root, 'src/features/markdown/named-characters.ts') } },
    build: {
      outDir,
      emptyOutDir: true,
      write,
      target: 'es2023',
      manifest: 'manifest.json',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      sourcemap: false,
      rolldownOptions: { output: { codeSplitting: splitting } },
    },
  })

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
