import { existsSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createClickHouseStore, damagedNotesName, readDetachedParts, readLostParts, systemTiming } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'
import { failure, type Finding, ok } from './finding.ts'

const name = 'Tables'
const remedy = 'restore a backup into a new data folder, or continue without these rows: see docs/damage.md'
const remedyOfNotes = 'compare with a backup, then move the file elsewhere to clear this message: see docs/damage.md'

/** Looks for parts of tables whose rows are in no answer: the engine could not read them, or their files are gone. One finding for each. */
export async function checkParts({ clickhouseUrl, dataDir }: Pick<Configuration, 'clickhouseUrl' | 'dataDir'>): Promise<Finding[]> {
  const findings = clickhouseUrl === undefined ? await checkFolder(join(dataDir, 'engine')) : await checkServer(clickhouseUrl)
  return findings.length === 0 ? [ok(name, 'no damaged or missing parts')] : findings
}

/** Reads the folders alone: a server may have the engine, or none can be started. */
async function checkFolder(engine: string): Promise<Finding[]> {
  const folder = join(engine, 'store', 'data', 'heddle')
  const findings: Finding[] = []
  for (const table of await namesIn(folder)) {
    const place = await realpath(join(folder, table)).catch(() => undefined)
    if (place === undefined) {
      findings.push(failure(name, `the folder of table ${table} is gone, with all of its rows`, remedy))
      continue
    }
    const detached = join(place, 'detached')
    for (const part of await namesIn(detached)) if (isDamaged(part)) findings.push(damaged({ table, part, path: join(detached, part) }))
  }
  const lost = (await readLostParts(engine)).map(({ table, name: part, rows }) => {
    return failure(
      name,
      `part ${part} of table ${table} is missing with ${rows} rows, as recorded in ${join(engine, 'lost-parts.json')}`,
      remedy,
    )
  })
  const notes = join(engine, damagedNotesName)
  if (existsSync(notes))
    findings.push(
      failure(
        name,
        `the notes of which parts there were cannot be read (kept as ${notes}): parts that are gone may be unnoticed`,
        remedyOfNotes,
      ),
    )
  return [...findings, ...lost]
}

/** With a server the engine is queried: a cluster detaches parts for other reasons too, whose rows its replicas still have. */
async function checkServer(url: string): Promise<Finding[]> {
  const analytical = createClickHouseStore({ target: { url }, timing: systemTiming })
  try {
    const detached = await readDetachedParts(analytical)
    return detached.map(({ table, name: part, path }) => damaged({ table, part, path }))
  } catch {
    // The finding about the engine reports the server's error.
    return []
  } finally {
    await analytical.close()
  }
}

const isDamaged = (part: string) => /broken|^unexpected|^noquorum/.test(part)

function damaged({ table, part, path }: { table: string; part: string; path: string }): Finding {
  return failure(name, `part ${basename(part)} of table ${table} is damaged and missing from results; its files are in ${path}`, remedy)
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).toSorted()
}
