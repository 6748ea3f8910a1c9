import {
  type BlobDigest,
  blobKey,
  type Blobs,
  findHeldBlobs,
  type KeyedLock,
  type ScopedDatabase,
  serverWork,
  StoreError,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { hashDigest } from '../../payload/digest.ts'
import { possibleHashes } from './possible-hashes.ts'
import type { FilesStore } from './files-store.ts'

export interface FilesStorage {
  database: ScopedDatabase
  blobs: Blobs
  locks: KeyedLock
}

/** Bytes before their record: a record never names bytes that are not there. Blobs are shared by all projects, records are not. */
export function sqlFilesStore({ database, blobs, locks }: FilesStorage): FilesStore {
  const recordOf = (project: ProjectScope, digest: string) =>
    database
      .of(project)
      .selectFrom('files')
      .select(['name', 'size_bytes', 'sha256'])
      .where('project_id', '=', project.id)
      .where('digest', '=', digest)
      .executeTakeFirst()

  return {
    stage: (content) => blobs.stage(content),

    async put(project, { digest, name, content, created_at }) {
      const record = await recordOf(project, digest)
      // Lost content is stored again when it is sent again.
      if (record && (await blobs.stat(content.digest))) return
      // Under the key of the blob, so that no sweep runs between the bytes and their record.
      await locks.withKeys(project, [blobKey(content.digest)], async () => {
        await content.keep()
        await database
          .of(project)
          .insertInto('files')
          .values({ project_id: project.id, digest, sha256: content.digest, name, size_bytes: content.sizeBytes, created_at })
          .onConflict((conflict) => conflict.columns(['project_id', 'digest']).doNothing())
          .execute()
      })
    },

    async find(project, digest) {
      const record = await recordOf(project, digest)
      if (record === undefined) return undefined
      const { name, sha256 } = record
      const size_bytes = Number(record.size_bytes)
      return {
        digest,
        name,
        size_bytes,
        async open(range) {
          const hash = sha256 ?? (await findHash(blobs, digest))
          if (hash === undefined) throw new StoreError('damaged', `the content of file ${digest} is missing; send the file again`)
          return blobs.read(hash, { ...range, signal: project.signal })
        },
      }
    },

    async totalBytes(project) {
      const { total } = await database
        .of(project)
        .selectFrom('files')
        .select(({ fn }) => fn.sum<number | string | null>('size_bytes').as('total'))
        .where('project_id', '=', project.id)
        .executeTakeFirstOrThrow()
      return Number(total ?? 0)
    },

    async findReferenced(hashes) {
      const digests = new Map(hashes.map((hash) => [hashDigest(hash), hash]))
      if (digests.size === 0) return new Set()
      const rows = await database
        .of(serverWork)
        .selectFrom('files')
        .select('digest')
        .distinct()
        .where('digest', 'in', [...digests.keys()])
        .execute()
      // The training service keeps its blobs in the same store.
      const held = await findHeldBlobs(database.of(serverWork), hashes)
      return new Set([...held, ...rows.flatMap(({ digest }) => digests.get(digest) ?? [])])
    },
  }
}

/** The content of a record that does not name its hash. */
async function findHash(blobs: Blobs, digest: string): Promise<BlobDigest | undefined> {
  for (const hash of possibleHashes(digest)) if (await blobs.stat(hash)) return hash
  return undefined
}
