import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

// node build.mjs [<folder>]
const outDir = resolve(process.argv[2] ?? 'dist')
const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * What several pages need is in few files: a page of thirty small ones waits for each of them, six at a time. What the first page needs
 * comes whole; then the pages of calls and traces, and all that at least three others share, but for a reader of CSV.
 */
const chunks = [
  { name: 'first', tags: /** @type {'$initial'[]} */ (['$initial']), priority: 3 },
  { name: 'trace-model', test: /[\\/]packages[\\/]trace-model[\\/]/, priority: 2 },
  { name: 'calls', test: /[\\/]pages[\\/](?:trace|calls)[\\/][^\\/]+$/, priority: 1 },
  { name: 'parts', test: /^(?!.*[\\/]papaparse[\\/])/, minShareCount: 3, priority: 1 },
]

/** Chunks that most pages ask for as soon as the entry runs: the browser fetches and compiles them while it still reads the entry. */
const asked = ['calls', 'parts', 'trace-model']

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

// Static files with hashed names, which the server serves; none of them is inlined, since the content policy allows files of the server alone.
await build({
  configFile: false,
  root,
  base: './',
  logLevel: 'warn',
  plugins: [react(), preloads, noSchemas],
  resolve: { alias: { 'decode-named-character-reference': join(root, 'src/components/markdown/named-characters.ts') } },
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

// Scripts and styles name others from where they are, so that they work under any path. The page is opened at many paths, so it names them
// from the root; the server puts its base path before that.
const page = join(outDir, 'index.html')
await writeFile(page, (await readFile(page, 'utf8')).replaceAll('"./', '"/'))

// What was built, for the check of sizes; no page needs it.
const manifest = join(outDir, 'manifest.json')
await writeFile(join(root, 'node_modules', '.manifest.json'), await readFile(manifest))
await rm(manifest)

const compressed = /\.(?:js|css|html|svg)$/
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
for (const name of await readdir(outDir, { recursive: true })) {
  if (!compressed.test(name)) continue
  const path = join(outDir, name)
  const bytes = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotli))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
