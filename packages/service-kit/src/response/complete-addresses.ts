import { brotliCompressSync, gzipSync } from 'node:zlib'
import { etagOf, type StaticFile } from './read-static-files.ts'

const compress = { br: brotliCompressSync, gzip: gzipSync }

/** A page with the base path before each address in it that begins at the root, in the encodings in which it was built. */
export function completeAddresses({ path, variants }: StaticFile, basePath: string): StaticFile {
  const html = new TextDecoder().decode(variants.at(-1)!.bytes)
  const completed = new TextEncoder().encode(html.replace(/ (href|src|content)="\/(?!\/)/g, ` $1="${basePath}/`))
  return {
    path,
    variants: variants.map(({ encoding }) => {
      const bytes = Uint8Array.from(encoding ? compress[encoding](completed) : completed)
      return { ...(encoding && { encoding }), bytes, etag: etagOf(bytes) }
    }),
  }
}
