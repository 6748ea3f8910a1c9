import type { Blobs, Database } from '@heddle/datastore'
import { blobDigests } from './blob-digests.ts'
import type { FilesStore } from './files-store.ts'

/** Bytes before their record: a record never names bytes that are not there. Blobs are shared by all projects, records are not. */
export function sqlFilesStore(database: Database, blobs: Blobs): FilesStore {
  async function has(projectId: string, digest: string): Promise<boolean> {
    const row = await database
      .selectFrom('files')
      .select('digest')
      .where('project_id', '=', projectId)
      .where('digest', '=', digest)
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    async put(project, { digest, name, bytes, created_at }) {
      if (await has(project.id, digest)) return
      await blobs.put(bytes)
      await database
        .insertInto('files')
        .values({ project_id: project.id, digest, name, size_bytes: bytes.byteLength, created_at })
        .onConflict((conflict) => conflict.columns(['project_id', 'digest']).doNothing())
        .execute()
    },

    async read(project, digest) {
      if (!(await has(project.id, digest))) return undefined
      for (const blobDigest of blobDigests(digest)) {
        const content = await blobs.get(blobDigest)
        if (content !== undefined) return Buffer.concat(await content.toArray())
      }
      return undefined
    },
  }
}
