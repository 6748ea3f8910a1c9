import { isApiError } from '@heddle/core-api'
import type { Caller, Identity, ProjectScope } from '@heddle/identity'
import { type GraphqlAnswer, type GraphqlRequest, readGraphqlRequest, type RequestCharges } from '@heddle/service-kit'

export interface GraphqlDeps {
  identity: Pick<Identity, 'contextFor'>
  /** Answers documents of other clients first; undefined for one that it does not know. */
  others?: ((request: GraphqlRequest, origin: GraphqlOrigin) => Promise<GraphqlAnswer | undefined>) | undefined
}

interface GraphqlOrigin {
  request: Request
  caller: Caller
  charges: RequestCharges | undefined
}

/** Opens a project on account of the request. */
type Open = (effect: 'read' | 'write', projectId: string) => Promise<ProjectScope>

/**
 * Answers the few GraphQL documents that an existing Python client sends when it starts, recognised by the words in them.
 * Every answer is 200: such clients repeat an HTTP error or give up, while they can show a GraphQL error.
 * The body's size has been limited before.
 * @throws 400 for a body that is not a GraphQL request.
 */
export function graphqlHandler(deps: GraphqlDeps): (request: Request, caller: Caller, charges?: RequestCharges) => Promise<Response> {
  return async (request, caller, charges) => {
    const work = { caller: caller.keyId, signal: request.signal, charge: charges?.charge }
    const open: Open = (effect, projectId) => deps.identity.contextFor(caller, effect, work).open(projectId)
    const graphqlRequest = await readGraphqlRequest(request)
    return Response.json(
      (await deps.others?.(graphqlRequest, { request, caller, charges })) ?? (await answer(graphqlRequest, caller, open)),
    )
  }
}

async function answer(request: GraphqlRequest, caller: Caller, open: Open): Promise<GraphqlAnswer> {
  try {
    if (/\bupsertModel\b/.test(request.document)) return await upsertProject(request, caller, open)
    if (/\bproject\s*\(/.test(request.document)) return await findProject(request, caller, open)
    if (/\bviewer\b/.test(request.document)) return toViewer(caller)
    return { errors: [{ message: 'unsupported' }] }
  } catch (error) {
    if (isApiError(error) && error.status === 403) return permissionError(request, caller)
    if (isApiError(error) && error.status === 400) return { errors: [{ message: error.message }] }
    throw error
  }
}

async function upsertProject(request: GraphqlRequest, caller: Caller, open: Open): Promise<GraphqlAnswer> {
  const { name } = await open('write', projectIdOf(request, caller))
  return { data: { upsertModel: { model: { name, description: null } } } }
}

async function findProject(request: GraphqlRequest, caller: Caller, open: Open): Promise<GraphqlAnswer> {
  const id = projectIdOf(request, caller)
  const found = await open('read', id).catch(unlessForbidden)
  // A key that only sends must be able to start a client too.
  const { name, internalId } = found ?? (await open('write', id))
  return { data: { project: internalId === '' ? null : { name } } }
}

function unlessForbidden(error: unknown): undefined {
  if (!isApiError(error) || error.status !== 403) throw error
}

function toViewer({ username, entity }: Caller): GraphqlAnswer {
  return { data: { viewer: { username, defaultEntity: { name: entity } } } }
}

function permissionError(request: GraphqlRequest, caller: Caller): GraphqlAnswer {
  const message = `the key may not use project ${JSON.stringify(projectIdOf(request, caller))}`
  return { errors: [{ message, extensions: { code: 'PERMISSION_ERROR' } }] }
}

function projectIdOf({ variables }: GraphqlRequest, caller: Caller): string {
  const entity = textOf(variables['entityName']) || textOf(variables['entity']) || caller.entity
  return `${entity}/${textOf(variables['name'])}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
