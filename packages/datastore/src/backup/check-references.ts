import type { Analytical } from '../analytical/analytical.ts'
import { bind, sql } from '../analytical/sql.ts'
import type { BlobDigest, Blobs } from '../blobs/blobs.ts'
import type { Database } from '../relational/database.ts'

export interface ReferenceStores {
  analytical: Analytical
  database: Database
  blobs: Blobs
}

/** References from the relational store to the other stores, and the dangling ones among them. */
export interface ReferenceCheck {
  /** Number of object versions, and of contents of files and of the training service, that were checked. */
  versions: number
  contents: number
  /** A line for each dangling reference, up to a limit. */
  missing: string[]
}

interface VersionKey {
  project_id: string
  object_id: string
  digest: string
}

const pageSize = 1_000
const maxFindings = 20

/** Checks that the value of each live object version and the content of each file with a hash exist. */
export async function checkReferences({ analytical, database, blobs }: ReferenceStores): Promise<ReferenceCheck> {
  const check: ReferenceCheck = { versions: 0, contents: 0, missing: [] }
  const note = (line: string) => void (check.missing.length < maxFindings && check.missing.push(line))
  for await (const page of versionPages(database)) {
    check.versions += page.length
    for (const { project_id, object_id, digest } of await withoutValue(analytical, page))
      note(`version ${digest} of object ${JSON.stringify(object_id)} in ${project_id} has no value`)
  }
  for (const hash of await hashesOfFiles(database)) {
    check.contents++
    if ((await blobs.stat(hash)) === undefined) note(`the content ${hash} of a file is missing from the blobs`)
  }
  for (const { holder, sha256 } of await database.selectFrom('blob_references').selectAll().execute()) {
    check.contents++
    if ((await blobs.stat(sha256)) === undefined) note(`the content ${sha256} of ${holder} is missing from the blobs`)
  }
  return check
}

async function* versionPages(database: Database): AsyncGenerator<VersionKey[]> {
  let last: VersionKey | undefined
  do {
    const after = last
    const page: VersionKey[] = await database
      .selectFrom('object_versions')
      .select(['project_id', 'object_id', 'digest'])
      .where('deleted_at', 'is', null)
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('project_id', 'object_id', 'digest'),
            '>',
            tuple(after?.project_id ?? '', after?.object_id ?? '', after?.digest ?? ''),
          ),
        ),
      )
      .orderBy('project_id')
      .orderBy('object_id')
      .orderBy('digest')
      .limit(pageSize)
      .execute()
    if (page.length > 0) yield page
    last = page.length === pageSize ? page.at(-1) : undefined
  } while (last !== undefined)
}

async function withoutValue(analytical: Analytical, keys: readonly VersionKey[]): Promise<VersionKey[]> {
  const pairs = bind(
    'Array(Tuple(String, String))',
    keys.map(({ project_id, digest }) => [project_id, digest]),
  )
  const found = await analytical.rows<{ project_id: string; digest: string }>(
    sql`SELECT DISTINCT project_id, digest FROM object_values WHERE (project_id, digest) IN ${pairs}`,
  )
  const known = new Set(found.map(({ project_id, digest }) => `${project_id}\0${digest}`))
  return keys.filter(({ project_id, digest }) => !known.has(`${project_id}\0${digest}`))
}

async function hashesOfFiles(database: Database): Promise<BlobDigest[]> {
  const rows = await database.selectFrom('files').select('sha256').where('sha256', 'is not', null).distinct().execute()
  return rows.flatMap(({ sha256 }) => sha256 ?? [])
}
