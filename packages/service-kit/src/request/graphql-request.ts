import { badRequest } from '@heddle/core-api/internal'

/** A GraphQL document as a client sent it. Nothing executes it: it is recognised by its name or its words. */
export interface GraphqlRequest {
  document: string
  /** Name of the operation; undefined where the client gave none. */
  operation: string | undefined
  variables: Record<string, unknown>
}

/** The body of an answer, whose status is 200: clients repeat an HTTP error or give up, while they can show a GraphQL error. */
export type GraphqlAnswer = { data: Record<string, unknown> } | { errors: { message: string; extensions?: { code: string } }[] }

/** @throws ApiError 400 for a body that is not a GraphQL request */
export async function readGraphqlRequest(request: Request): Promise<GraphqlRequest> {
  const body = parseJsonObject(await request.text())
  const document = body?.['query']
  if (typeof document !== 'string') throw badRequest('the body must be JSON with the GraphQL document as text in "query"')
  const { operationName, variables } = body as Record<string, unknown>
  return {
    document,
    operation: typeof operationName === 'string' ? operationName : undefined,
    variables: isObject(variables) ? variables : {},
  }
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
