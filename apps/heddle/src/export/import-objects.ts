import { parseJson, stringifyJson } from '@heddle/json'
import { exportFiles } from './export-manifest.ts'
import { type ImportContext, type JsonRecord, lineError, readRecords, stringOf, writeOne } from './import-context.ts'
import type { TableImport } from './import-tables.ts'
import type { Line } from './jsonl-file.ts'
import { mayHoldReferences } from './references.ts'

/** A version that was imported, as it has to be read back. */
export interface ImportedVersion {
  line: Line
  /** Text of the value, its tags and its aliases. */
  text: string
}

/** Imports versions in the order of their creation: each after those that it can name. @returns them by name and new digest */
export async function importObjects(context: ImportContext, tables: TableImport): Promise<Map<string, ImportedVersion>> {
  const { client, project, references, onStep } = context
  const versions = new Map<string, ImportedVersion>()
  const latest = new Map<string, { isLast: boolean; line: Line; val: unknown }>()
  for await (const { line } of readRecords(context, exportFiles.objects)) {
    await tables.importNamed(line.text)
    // Only now every reference in it has its new digest.
    const record = parse(references.map(line.text))
    const name = stringOf(record['object_id'])
    const create = () => client.objects.create({ obj: { project_id: project, object_id: name, val: record['val'] } })
    const { digest } = await writeOne(line, create)
    const before = stringOf(record['digest'])
    if (digest !== before && !mayHoldReferences(stringifyJson(record['val'])))
      throw lineError(line, `imported version has digest ${digest}, expected ${before}`)
    references.noteVersion(name, before, digest)
    await importLabels(context, { line, record, name, digest })
    const known = latest.get(name)
    if (record['is_latest'] === 1) latest.set(name, { isLast: true, line, val: record['val'] })
    else if (known) known.isLast = false
    versions.set(versionKey(name, digest), { line, text: versionText(record) })
    onStep(`Importing objects: ${versions.size}`)
  }
  for (const [object_id, { isLast, line, val }] of latest) {
    if (!isLast) await writeOne(line, () => client.objects.create({ obj: { project_id: project, object_id, val } }))
  }
  return versions
}

interface VersionLabels {
  line: Line
  record: JsonRecord
  name: string
  digest: string
}

async function importLabels({ client, project }: ImportContext, { line, record, name, digest }: VersionLabels): Promise<void> {
  const version = { object_id: name, digest, project_id: project }
  const [tags, aliases] = [labelsOf(record['tags']), labelsOf(record['aliases'])]
  if (tags.length > 0) await writeOne(line, () => client.objects.addTags({ ...version, tags }))
  if (aliases.length > 0) await writeOne(line, () => client.objects.setAliases({ ...version, aliases }))
}

/** `latest` follows from the order of publishing. */
function labelsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((label): label is string => typeof label === 'string' && label !== 'latest') : []
}

/** @throws UsageError that names the first version that is not there as it was exported */
export async function verifyObjects(
  { client, project, onStep }: ImportContext,
  versions: ReadonlyMap<string, ImportedVersion>,
): Promise<void> {
  const left = new Map(versions)
  const limit = 500
  for (let offset = 0; ; offset += limit) {
    const { objs } = await client.objects.query({ project_id: project, limit, offset, include_tags_and_aliases: true })
    for (const version of objs) {
      const key = versionKey(version.object_id, version.digest)
      const expected = left.get(key)
      if (expected && versionText(version) !== expected.text)
        throw lineError(expected.line, 'the version differs from the imported version')
      left.delete(key)
    }
    onStep('Comparing objects')
    if (objs.length < limit) break
  }
  for (const { line } of left.values()) throw lineError(line, 'the version is missing after the import')
}

const versionKey = (name: string, digest: string) => `${name}:${digest}`

function versionText(record: JsonRecord): string {
  return stringifyJson([record['val'], labelsOf(record['tags']).toSorted(), labelsOf(record['aliases']).toSorted()])
}

function parse(text: string): JsonRecord {
  return parseJson(text, { loneSurrogates: 'keep' }) as JsonRecord
}
