import type { Handlers, training } from '@heddle/core-api'
import { badRequest, type BytesStream, invalid } from '@heddle/core-api/internal'
import type { Blobs, Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { toPage } from '../../page.ts'
import type { ListProjects } from '../models/list-projects.ts'
import { checkTrainingFile } from './check-training-file.ts'
import { openNamedProject, toProjectFilter } from './named-project.ts'
import { noSuchFile, type OpenTrainingFile } from './open-training-file.ts'
import { toTrainingFile, type TrainingFileRow } from './training-file-row.ts'
import type { TrainingFilesStore } from './training-files-store.ts'

export interface TrainingFilesDeps {
  store: TrainingFilesStore
  openFile: OpenTrainingFile
  listProjects: ListProjects
  blobs: Blobs
  keepBlobs: KeepBlobs
  bodies: BodyReader
  clock: () => Micros
  newId: () => string
}

/** Name of a file that was sent without one. */
const noName = 'file.jsonl'
const maxNameLength = 1_024

export function trainingFilesHandlers(deps: TrainingFilesDeps): Handlers<typeof training.trainingFiles, Context> {
  const { store, openFile, listProjects, blobs, keepBlobs, bodies, clock, newId } = deps
  return {
    async create({ 'openai-project': header, purpose, files, ...expiry }, context) {
      if (purpose !== 'fine-tune') throw noSuchPurpose(purpose)
      const [field] = Object.entries(expiry).find(([, value]) => value !== undefined) ?? []
      if (field !== undefined)
        throw badRequest(`${field} is not supported: files are kept until they are deleted; leave it out`, { param: field })
      const part = files.find((each) => each.field === 'file')
      if (!part) throw invalid([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }])
      const project = await openNamedProject(context, header)
      const { content, filename = noName } = part
      const { caller, signal } = context.work
      const body = { content: () => content.read(), sizeBytes: content.sizeBytes, input: undefined, signal, caller }
      const row: TrainingFileRow = {
        ...(await bodies.readOne(checkTrainingFile, body)),
        id: `file-${newId()}`,
        project_id: project.id,
        filename: filename.slice(0, maxNameLength),
        sha256: content.digest,
        size_bytes: content.sizeBytes,
        created_by: context.caller.userId,
        created_at: clock(),
      }
      await keepBlobs(project, [content], () => store.create(project, row))
      return toTrainingFile(row)
    },

    async list({ 'openai-project': header, purpose, after, limit, order }, context) {
      const projects = await listProjects(context, toProjectFilter(header))
      const wanted = purpose === null || purpose === 'fine-tune' ? projects : []
      return toPage(await store.list(context.work, wanted, { after, order, limit: limit + 1 }), limit, toTrainingFile)
    },

    async read({ file_id }, context) {
      return toTrainingFile((await openFile(context, file_id)).file)
    },

    async content({ file_id }, context): Promise<BytesStream> {
      const { file } = await openFile(context, file_id)
      const content = await blobs.read(file.sha256, { signal: context.work.signal })
      return {
        content_type: 'application/octet-stream',
        content,
        cancel: () => void content.destroy(),
        sizeBytes: file.size_bytes,
        status: 200,
        headers: {},
      }
    },

    async delete({ file_id }, context) {
      const { project } = await openFile(context, file_id)
      if (!(await store.delete(project, file_id))) throw noSuchFile(file_id, 'file_id')
      return { id: file_id, object: 'file', deleted: true }
    },
  }
}

const noSuchPurpose = (purpose: string) =>
  badRequest(`purpose ${JSON.stringify(purpose.slice(0, 100))} is not supported; this server keeps files with the purpose "fine-tune"`, {
    param: 'purpose',
  })
