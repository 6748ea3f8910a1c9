import { badRequest, isJsonObject, tooLarge } from '@heddle/core-api/internal'
import { scanJson } from '@heddle/json'

/** A GraphQL document as a client sent it. Nothing executes it: it is recognised by its name or its words. */
export interface GraphqlRequest {
  document: string
  /** Name of the operation; undefined where the client gave none. */
  operation: string | undefined
  variables: Record<string, unknown>
}

/** The body of an answer, whose status is 200: clients repeat an HTTP error or give up, while they can show a GraphQL error. */
export type GraphqlAnswer = { data: Record<string, unknown> } | { errors: { message: string; extensions?: { code: string } }[] }

/** Bounds of the JSON around a document; clients send documents of some thousand characters, at most ten levels deep. */
const jsonLimits = { maxDepth: 100, maxKeys: 10_000, maxValues: 100_000 }
const maxCharacters = 100_000
const maxDepth = 50

/** @throws ApiError 400 for a body that is not a GraphQL request, 413 for one that is too long or too deep, before it is parsed */
export async function readGraphqlRequest(request: Request): Promise<GraphqlRequest> {
  const text = await request.text()
  scanJson(text, jsonLimits)
  const body = parseJsonObject(text)
  const document = body?.['query']
  if (typeof document !== 'string') throw badRequest('the body must be JSON with the GraphQL document as text in "query"')
  checkDocument(document)
  const { operationName, variables } = body as Record<string, unknown>
  return {
    document,
    operation: typeof operationName === 'string' ? operationName : undefined,
    variables: isJsonObject(variables) ? variables : {},
  }
}

function checkDocument(document: string): void {
  if (document.length > maxCharacters)
    throw tooLarge(`the GraphQL document has ${document.length} characters; at most ${maxCharacters} are allowed`)
  let depth = 0
  for (const bracket of document.match(/[{}()[\]]/g) ?? []) {
    depth += '{(['.includes(bracket) ? 1 : -1
    if (depth > maxDepth) throw tooLarge(`the GraphQL document is nested deeper than ${maxDepth} levels`)
  }
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
