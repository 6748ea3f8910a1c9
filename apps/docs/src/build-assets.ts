import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Assets } from './render/page-html.ts'

export interface BuiltAssets {
  assets: Assets
  /** Paths of the modules and fonts in them. */
  bundled: string[]
}

const sourceOf = (name: string) => fileURLToPath(new URL(`browser/${name}`, import.meta.url))

/**
 * Writes scripts, styles, fonts, the icon and the text for search into `assets/`, with a hash of their content in their names.
 */
export async function buildAssets(folder: string, search: string): Promise<BuiltAssets> {
  const outdir = join(folder, 'assets')
  const common = {
    outdir,
    bundle: true,
    minify: true,
    target: 'es2023',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
    legalComments: 'none',
    loader: { '.woff2': 'file' },
  } as const
  const modules = await build({ ...common, entryPoints: [sourceOf('site.ts'), sourceOf('site.css')], format: 'esm' })
  // Not a module, so that it runs before the page is first drawn.
  const theme = await build({ ...common, entryPoints: [sourceOf('theme.ts')], format: 'iife' })
  const outputs = [modules, theme].flatMap(({ metafile }) => Object.keys(metafile.outputs)).map((path) => `assets/${basename(path)}`)
  const named = (pattern: RegExp) => {
    const found = outputs.find((path) => pattern.test(path))
    if (found === undefined) throw new Error(`no output of the build matches ${pattern}`)
    return found
  }
  const bundled = [modules, theme].flatMap(({ metafile }) => Object.keys(metafile.inputs)).map((path) => resolve(path))
  const icon = await readFile(createRequire(import.meta.url).resolve('@heddle/web/icon.svg'))
  const assets = {
    styles: named(/site-.*\.css$/),
    script: named(/site-.*\.js$/),
    theme: named(/theme-.*\.js$/),
    icon: await writeHashed(folder, 'icon', '.svg', icon),
    search: await writeHashed(folder, 'search', '.json', Buffer.from(search)),
  }
  return { assets, bundled }
}

async function writeHashed(folder: string, name: string, ending: string, content: Buffer): Promise<string> {
  // In the letters of the bundler, by which the server knows such names.
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10).toUpperCase()
  const path = `assets/${name}-${hash}${ending}`
  await writeFile(join(folder, path), content)
  return path
}
