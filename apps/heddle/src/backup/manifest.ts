import { z } from 'zod'
import { damaged, readSealedManifest, writeSealedManifest } from '../archive/sealed-manifest.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** Of what this program writes. A later one may read older formats; an older one refuses a newer. */
const currentFormat = 1

const Count = z.number().int().nonnegative()
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Names joined by `/`: none begins with a dot that leads upwards, none is empty. */
const RelativePath = z.string().refine((path) => path.split('/').every((name) => !['', '.', '..'].includes(name)) && !path.includes('\0'))

const Manifest = z.object({
  format: z.number().int(),
  /** Version of the program that wrote it. */
  version: z.string(),
  /** All that was acknowledged before is in the backup. */
  started_at: z.string(),
  ended_at: z.string(),
  tables: z.record(z.string(), z.object({ rows: Count, parts: Count, digest: Sha256 })),
  /** Rows of each table of the relational data. */
  records: z.record(z.string(), Count),
  /** `digest` is taken over the sorted names of the contents, which are their hashes. */
  blobs: z.object({ count: Count, bytes: Count, digest: Sha256 }),
  /** Every other file. */
  files: z.array(z.object({ path: RelativePath, bytes: Count, sha256: Sha256 })),
})
/** What is in a backup. */
export type Manifest = z.output<typeof Manifest>

/** Writes the manifest, with which a folder becomes a backup. It is on disk when it resolves. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  await writeSealedManifest(folder, { format: currentFormat, ...manifest })
}

/** @throws UsageError unless the folder is a complete, undamaged backup of this program or an older one */
export async function readManifest(folder: string): Promise<Manifest> {
  const value = await readSealedManifest(folder)
  if (value === undefined) throw new UsageError(`${folder} has no manifest.json: it is not a backup, or the backup did not finish`)
  const { format } = z.object({ format: z.number() }).catch({ format: 0 }).parse(value)
  if (format > currentFormat)
    throw new UsageError(
      `${folder} has backup format ${format}, but this version reads at most ${currentFormat}; use a newer version of heddle`,
    )
  const manifest = Manifest.safeParse(value)
  if (manifest.success) return manifest.data
  const [issue] = manifest.error.issues
  throw damaged(folder, `manifest.json: ${issue?.path.join('.')} ${issue?.message}`)
}
