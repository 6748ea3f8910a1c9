import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(new URL('../../mcpb/manifest.json', import.meta.url))

/** Puts the files of an `.mcpb` bundle into a folder, as its manifest names them. Returns the folder. */
export function layOutBundle({ program, into }: { program: string; into: string }): string {
  mkdirSync(join(into, 'server'), { recursive: true })
  cpSync(manifest, join(into, 'manifest.json'))
  cpSync(program, join(into, 'server/bin.mjs'))
  return into
}
