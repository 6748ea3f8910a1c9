import { isApiError } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { Caller, Identity, ProjectScope } from '@heddle/identity'
import { type GraphqlAnswer, type GraphqlRequest, readGraphqlRequest, type RequestCharges } from '@heddle/service-kit'
import { type ArtifactName, isCollection, parseArtifactId, toArtifactId } from './artifact-name.ts'
import type { ArtifactUpload } from './artifact-uploads-store.ts'
import type { ArtifactUploads } from './artifact-uploads.ts'
import { type Answer, type DocumentRequest, listOf, objectOf, projectIdOf, textOf } from './document-request.ts'
import { runAnswers } from './runs/run-answers.ts'
import type { RunDocuments } from './runs/run-documents.ts'

/** The answer to a document of a tracking client; undefined for unknown documents. */
export type TrackingDocuments = (
  request: GraphqlRequest,
  origin: { request: Request; caller: Caller; charges: RequestCharges | undefined },
) => Promise<GraphqlAnswer | undefined>

export interface TrackingDocumentsDeps {
  identity: Pick<Identity, 'contextFor'>
  /** Path under which clients see this server, without a slash at the end; undefined: the root. */
  basePath: string | undefined
  uploads: Pick<ArtifactUploads, 'open'>
  runs: RunDocuments
}

/**
 * Requests of a tracking service's client while it stores the conversations of a fine-tuning job as an artifact, and about the run of a model. The
 * client's own runs and manifests are not stored: only files of conversations are training data.
 */
const answers: Readonly<Record<string, Answer>> = {
  ...runAnswers,
  Viewer: toViewer,
  GetDefaultEntity: toViewer,
  ServerFeaturesQuery: () => ({ serverInfo: { features: [] } }),
  OrganizationCoreWeaveOrganizationID: () => ({ entity: { organization: null } }),
  async RunResumeStatus(request) {
    return { model: { ...toProject(await request.open('read', projectIdOf(request))), bucket: null } }
  },
  async UpsertBucket(request) {
    const project = toProject(await request.open('write', projectIdOf(request)))
    const name = textOf(request.variables['name'])
    const displayName = textOf(request.variables['displayName']) || name
    return { upsertBucket: { bucket: { id: name, name, displayName, config: null, historyLineCount: 0, project }, inserted: true } }
  },
  ArtifactType: () => ({ project: { artifact: null } }),
  InputFields: () => ({ TypeInfo: { inputFields: createArtifactFields.map((name) => ({ name })) } }),
  async CreateArtifact(request) {
    const { artifactCollectionName: collection } = inputOf(request)
    if (!isCollection(collection)) throw badRequest('artifactCollectionName must have 1 to 128 letters, digits, ".", "_" and "-"')
    const { id: projectId } = await request.open('write', projectIdOf({ ...request, variables: inputOf(request) }))
    const id = toArtifactId({ projectId, collection })
    return { createArtifact: { artifact: { id, state: 'PENDING', artifactSequence: { id, latestArtifact: null } } } }
  },
  async CreateArtifactManifest(request) {
    const { projectId } = artifactOf(request.variables['artifactID'])
    const name = textOf(request.variables['name'])
    const [uploadUrl] = await openUploads(request, projectId, [null])
    const file = { id: name, name, displayName: name, uploadUrl, uploadHeaders: [] }
    return { createArtifactManifest: { artifactManifest: { id: textOf(request.variables['artifactID']), file } } }
  },
  async CreateArtifactFiles(request) {
    const files = listOf(request.variables['artifactFiles'] ?? inputOf(request)['artifactFiles'], 'artifactFiles').map(toArtifactFile)
    const projectIds = new Set(files.map(({ artifact }) => artifact.projectId))
    if (projectIds.size > 1) throw badRequest('all artifactFiles of a request must belong to artifacts of one project')
    const [projectId = ''] = projectIds
    const uploadUrls = projectId === '' ? [] : await openUploads(request, projectId, files.map(toTrainingDataName))
    const edges = files.map(({ name, artifact }, at) => ({
      node: {
        id: `${artifact.collection}/${name}`,
        name,
        displayName: name,
        storagePath: `${artifact.collection}/${name}`,
        uploadUrl: uploadUrls[at],
        uploadHeaders: [],
        uploadMultipartUrls: null,
        artifact: { id: toArtifactId(artifact) },
      },
    }))
    return { createArtifactFiles: { files: { edges } } }
  },
  CommitArtifact: ({ variables: { artifactID } }) => ({
    commitArtifact: { artifact: { id: toArtifactId(artifactOf(artifactID)), digest: '' } },
  }),
  ArtifactByID: () => ({ artifact: null }),
  async CreateRunFiles(request) {
    const names = listOf(request.variables['files'], 'files').map(textOf)
    const { id } = await request.open('write', projectIdOf(request))
    const uploadUrls = await openUploads(
      request,
      id,
      names.map(() => null),
    )
    const files = names.map((name, at) => ({ name, uploadUrl: uploadUrls[at] }))
    return { createRunFiles: { runID: textOf(request.variables['run']), uploadHeaders: [], files } }
  },
}

function toViewer({ caller: { username, entity } }: DocumentRequest): Record<string, unknown> {
  return { viewer: { id: username, entity, username, email: '', flags: '{}', teams: { edges: [] }, defaultEntity: { name: entity } } }
}

/** By these the client sees which fields of an artifact it may send. */
const createArtifactFields = [
  'entityName',
  'projectName',
  'runName',
  'artifactTypeName',
  'artifactCollectionName',
  'digest',
  'description',
  'aliases',
  'metadata',
  'historyStep',
  'clientID',
  'sequenceClientID',
]

export function createTrackingDocuments({ identity, basePath = '', uploads, runs }: TrackingDocumentsDeps): TrackingDocuments {
  return async ({ document, operation, variables }, { request, caller, charges }) => {
    const name = operation || nameOf(document)
    const answer = name !== undefined && Object.hasOwn(answers, name) ? answers[name] : undefined
    if (!answer) return undefined
    const work = { caller: caller.keyId, signal: request.signal, charge: charges?.charge }
    const open: DocumentRequest['open'] = (effect, projectId) => identity.contextFor(caller, effect, work).open(projectId)
    try {
      const serverUrl = originOf(request) + basePath
      return { data: await answer({ variables, caller, serverUrl, open, openUploads: uploads.open, runs }) }
    } catch (error) {
      if (isApiError(error) && error.status === 403)
        return { errors: [{ message: error.message, extensions: { code: 'PERMISSION_ERROR' } }] }
      if (isApiError(error) && error.status === 400) return { errors: [{ message: error.message }] }
      throw error
    }
  }
}

/** Answers these documents alone, on a server without the tracing service. */
export function trackingDocumentsHandler(
  documents: TrackingDocuments,
): (request: Request, caller: Caller, charges?: RequestCharges) => Promise<Response> {
  return async (request, caller, charges) => {
    const answer = await documents(await readGraphqlRequest(request), { request, caller, charges })
    return Response.json(answer ?? { errors: [{ message: 'unsupported' }] })
  }
}

/** Scheme, host and port at which the client reaches this server. Behind a proxy that terminates HTTPS, the request itself has none of it. */
function originOf({ url, headers }: Request): string {
  const { protocol, host } = new URL(url)
  return `${headers.get('x-forwarded-proto') === 'https' ? 'https:' : protocol}//${host}`
}

/** Some documents have a name only in their text, and the first of some clients has none at all. */
function nameOf(document: string): string | undefined {
  const name = /^(?:\s|#.*\n)*(?:query|mutation)\s+(\w+)/.exec(document)?.[1]
  return name ?? (/^\s*(?:query\s*)?\{\s*viewer\b/.test(document) ? 'Viewer' : undefined)
}

function toProject({ id, name }: ProjectScope) {
  const [entity = ''] = id.split('/')
  return { id, name, entity: { id: entity, name: entity } }
}

async function openUploads(request: DocumentRequest, projectId: string, names: readonly (string | null)[]): Promise<string[]> {
  const project = await request.open('write', projectId)
  const uploads = names.map((name): ArtifactUpload => ({ projectId: project.id, name }))
  return (await request.openUploads(project, uploads)).map((path) => request.serverUrl + path)
}

interface ArtifactFile {
  name: string
  artifact: ArtifactName
}

function toArtifactFile(file: unknown): ArtifactFile {
  const { name, artifactID } = objectOf(file)
  return { name: textOf(name), artifact: artifactOf(artifactID) }
}

/** Conversations are kept, under their collection; descriptions of them are not. */
function toTrainingDataName({ name, artifact }: ArtifactFile): string | null {
  return /^[\w.-]{1,128}$/.test(name) && name.endsWith('.jsonl') ? `${artifact.collection}/${name}` : null
}

function artifactOf(id: unknown): ArtifactName {
  const artifact = parseArtifactId(id)
  if (!artifact) throw badRequest(`artifactID ${JSON.stringify(textOf(id).slice(0, 100))} is not the id of an artifact`)
  return artifact
}

const inputOf = ({ variables }: Pick<DocumentRequest, 'variables'>) => objectOf(variables['input'])
