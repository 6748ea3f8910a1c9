// node gallery.mjs [build <folder>]
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, createServer } from 'vite'

/** @type {import('vite').InlineConfig} */
const config = {
  configFile: false,
  root: fileURLToPath(new URL('gallery/', import.meta.url)),
  logLevel: 'warn',
  plugins: [react(), tailwindcss()],
}

/**
 * Writes it as static files, which keep to the content policy of pages.
 * @param {string} outDir
 */
async function buildGallery(outDir) {
  const built = { outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } }
  await build({ ...config, base: '/', build: built })
}

/** Serves the gallery on loopback; pages change as sources do. */
async function serveGallery() {
  const server = await createServer({
    ...config,
    server: { host: '127.0.0.1', port: 7795, fs: { allow: [fileURLToPath(new URL('../../', import.meta.url))] } },
  })
  await server.listen()
  process.stdout.write(`The gallery of parts is at ${server.resolvedUrls?.local[0]} (Ctrl+C ends it)\n`)
}

const [command, outDir] = process.argv.slice(2)
if (command === 'build' && outDir) await buildGallery(outDir)
else await serveGallery()
