import { stringifyJson } from '@heddle/json'
import { exportFiles } from './export-manifest.ts'
import { type ImportContext, type ImportedRecord, inBatches, lineError, readRecords, stringOf, writeOne } from './import-context.ts'
import { findNamedContents, mayHoldReferences } from './references.ts'

const rowsAtOnce = 1_000

/** Imports tables when something that names them is about to be imported, since what names a table needs its new digest. */
export interface TableImport {
  /** Imports the tables that a text names, and those that their rows name. */
  importNamed(text: string): Promise<void>
  /** Imports those that are left. */
  importRest(): Promise<void>
  /** Digests that the tables have in the new project, and how many rows each has. */
  readonly imported: ReadonlyMap<string, number>
}

export interface TablesOfExport {
  digests: readonly string[]
  /** Those of them that lack rows: without these they are other tables. */
  partial: readonly string[]
  /** The project that they were exported from. */
  from: string
}

export function createTableImport(context: ImportContext, { digests, partial, from }: TablesOfExport): TableImport {
  const left = new Set(digests)
  const imported = new Map<string, number>()

  async function importNamed(text: string): Promise<void> {
    const named = findNamedContents(from)
    named.read(text)
    for (const digest of named.tables) if (left.delete(digest)) await importTable(digest)
  }

  async function importTable(digest: string): Promise<void> {
    const file = exportFiles.table(digest)
    for await (const { line } of readRecords(context, file)) if (mayHoldReferences(line.text)) await importNamed(line.text)
    const rowDigests: string[] = []
    let table = ''
    let isChanged = false
    for await (const batch of inBatches(readRecords(context, file), rowsAtOnce)) {
      const stored = await createRows(context, batch)
      rowDigests.push(...stored.row_digests)
      table = stored.digest
      isChanged ||= batch.some((row) => mayHoldReferences(row.line.text))
    }
    if (rowDigests.length === 0) table = (await context.client.tables.create({ table: { project_id: context.project, rows: [] } })).digest
    else if (rowDigests.length > rowsAtOnce || !(await hasRows(context, table, rowDigests.length)))
      table = await joinRows(context, rowDigests)
    if (table !== digest && !isChanged && !partial.includes(digest))
      throw lineError({ file, number: 1 }, `imported table has digest ${table}, expected ${digest}`)
    context.references.noteTable(digest, table)
    imported.set(table, rowDigests.length)
    context.onStep(`Importing tables: ${imported.size} of ${digests.length}`)
  }

  return {
    importNamed,
    async importRest() {
      for (const digest of digests) if (left.delete(digest)) await importTable(digest)
    },
    imported,
  }
}

async function createRows({ client, project, references }: ImportContext, batch: readonly ImportedRecord[]) {
  const [first] = batch
  const rows = batch.map(({ record }) => record['val'] as Record<string, unknown>)
  const create = () => client.tables.create({ table: { project_id: project, rows } })
  const stored = first ? await writeOne(first.line, create) : await create()
  batch.forEach(({ line, record }, index) => {
    const [before, after] = [stringOf(record['digest']), stored.row_digests[index] ?? '']
    if (before !== after && !mayHoldReferences(stringifyJson(record['val'])))
      throw lineError(line, `imported row has digest ${after}, expected ${before}`)
    references.noteRow(before, after)
  })
  return stored
}

async function hasRows({ client, project }: ImportContext, digest: string, count: number): Promise<boolean> {
  return (await client.tables.queryStats({ project_id: project, digest })).count === count
}

async function joinRows({ client, project }: ImportContext, row_digests: string[]): Promise<string> {
  return (await client.tables.createFromDigests({ project_id: project, row_digests })).digest
}
