import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { parseJson, stringifyJson } from '@heddle/json'
import type { TracingClient } from '../../connect.ts'
import type { Written } from './corpus.ts'
import type { Inventory } from './inventory.ts'

/** The key of the servers that made the folders. It opens nothing else. */
export const dataFolderKey = 'the-key-of-data-folders-that-tests-open-and-of-nothing-else'

/** A data folder of an earlier version, and what that version read of it. */
export interface ListedFolder {
  /** The version that made it. */
  commit: string
  /** How its server ended: `stopped` or `killed`. */
  ending: string
  /** Parts of the corpus that it did not know yet. */
  unknown: string[]
  written: Written
  inventory: Inventory
}

const place = fileURLToPath(new URL('folders/', import.meta.url))

/** Names of the folders that are kept. */
export const folderNames = readdirSync(place).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])

/** Puts a kept folder into `into`, as `data`, and returns what is known of it. */
export function unpackFolder(name: string, into: string): ListedFolder {
  execFileSync('tar', ['-xzf', `${place}${name}.tar.gz`, '-C', into])
  return JSON.parse(readFileSync(`${place}${name}.json`, 'utf8')) as ListedFolder
}

/** A client that keeps numbers and texts as they are. */
export function clientOf(baseUrl: string): TracingClient {
  const json = { parse: (text: string) => parseJson(text, { loneSurrogates: 'keep' }), stringify: stringifyJson }
  return createClient({ baseUrl, apiKey: dataFolderKey, contract: tracing, json, retries: 0 })
}
