import { z } from 'zod'
import { readSealedManifest, writeSealedManifest } from '../archive/sealed-manifest.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** 2: with annotation queues. 3: with settings. */
const format = 3
const Count = z.number().int().nonnegative()

const ExportManifest = z.object({
  kind: z.literal('project'),
  format: z.literal([1, 2, format]),
  version: z.string(),
  /** `entity/project` that was exported. References into it are those that an import changes. */
  project: z.string(),
  exported_at: z.string(),
  counts: z.object({
    objects: Count,
    calls: Count,
    feedback: Count,
    costs: Count,
    queues: Count.default(0),
    tables: Count,
    contents: Count,
  }),
  /** Tables some of whose rows were never stored. */
  partial_tables: z.array(z.string()),
  files: z.array(
    z.object({
      path: z.string().regex(/^(?:[a-z]+\.jsonl|tables\/[0-9a-f]{64}\.jsonl|contents\/[A-Za-z0-9]{43})$/),
      bytes: Count,
      sha256: z.string(),
    }),
  ),
})
/** What is in an exported project. */
export type ExportManifest = z.output<typeof ExportManifest>

/** Names of the files of an export, below its folder. */
export const exportFiles = {
  objects: 'objects.jsonl',
  calls: 'calls.jsonl',
  feedback: 'feedback.jsonl',
  costs: 'costs.jsonl',
  queues: 'queues.jsonl',
  items: 'items.jsonl',
  /** One line. */
  settings: 'settings.jsonl',
  /** A line for each content: its digest and the name of the file. */
  contents: 'contents.jsonl',
  table: (digest: string) => `tables/${digest}.jsonl`,
  content: (digest: string) => `contents/${digest}`,
} as const

/** With its manifest a folder becomes an export. */
export async function writeExportManifest(folder: string, manifest: Omit<ExportManifest, 'kind' | 'format'>): Promise<void> {
  await writeSealedManifest(folder, { kind: 'project', format, ...manifest })
}

/** @throws UsageError unless the folder is a complete, undamaged export in this format */
export async function readExportManifest(folder: string): Promise<ExportManifest> {
  const value = await readSealedManifest(folder)
  const manifest = ExportManifest.safeParse(value)
  if (manifest.success) return manifest.data
  const [issue] = manifest.error.issues
  const why = value === undefined ? 'it has no manifest.json' : `${issue?.path.join('.')}: ${issue?.message}`
  throw new UsageError(`${folder} is not an exported project, or the export did not finish, or it has another format (${why})`)
}
