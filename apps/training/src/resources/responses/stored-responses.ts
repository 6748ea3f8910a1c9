import { text } from 'node:stream/consumers'
import type { JsonObject } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { ModelResponse } from '@heddle/core-api/types'
import type { Blobs, Micros, WorkScope } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import { parseExactly } from '../../json-text/parse-exactly.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { ResolvedModel } from '../served-models/resolve-model.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { ResponsesStore, StoredResponseRow } from './responses-store.ts'

/** A stored response, as in its blob. */
export interface StoredResponse {
  format: 1
  response: ModelResponse
  /** Messages of chat completions, those of the response included, and its instructions not. */
  conversation: JsonObject[]
}

/** Responses that are kept for their user. */
export interface StoredResponses {
  /** Durable once it resolves. @throws ApiError 404 where the model was deleted meanwhile */
  save(context: Context, model: ResolvedModel, stored: Omit<StoredResponse, 'format'>): Promise<void>
  /** @throws ApiError 404 also for a response of another user, so that ids reveal nothing */
  read(context: Context, id: string, field?: string): Promise<StoredResponse>
  /** @throws ApiError 404 as `read` does */
  delete(context: Context, id: string): Promise<void>
}

export interface StoredResponsesDeps {
  store: ResponsesStore
  blobs: Blobs
  keepBlobs: KeepBlobs
  openModel: OpenModel
  clock: () => Micros
}

export function createStoredResponses({ store, blobs, keepBlobs, openModel, clock }: StoredResponsesDeps): StoredResponses {
  async function find(context: Context, id: string, field: string): Promise<StoredResponseRow> {
    const row = id.includes('\0') ? undefined : await store.find(context.work, id)
    if (row?.user_id !== context.caller.userId) throw noSuchResponse(id, field)
    if (row.model_id === '') return row
    return openModel(context, row.model_id).then(
      () => row,
      (error: unknown) => {
        throw (error as { status?: number }).status === 404 ? noSuchResponse(id, field) : error
      },
    )
  }

  return {
    async save({ work, caller }, { checkpoint, project }, stored) {
      // Relational statements and locks take no permit of a project, and a base model has none.
      const scope: WorkScope = { tenant: undefined, signal: work.signal }
      const staged = await blobs.stage(Buffer.from(stringifyJson({ format: 1, ...stored })))
      const row = {
        id: stored.response.id,
        project_id: project,
        model_id: checkpoint?.model_id ?? '',
        user_id: caller.userId,
        sha256: staged.digest,
        size_bytes: staged.sizeBytes,
        created_at: clock(),
      }
      await keepBlobs(scope, [staged], () => store.add(work, row)).finally(() => staged.drop())
    },

    async read(context, id, field = 'response_id') {
      const { sha256 } = await find(context, id, field)
      return parseExactly(await text(await blobs.read(sha256, { signal: context.work.signal }))) as StoredResponse
    },

    async delete(context, id) {
      await find(context, id, 'response_id')
      if (!(await store.delete(context.work, id))) throw noSuchResponse(id, 'response_id')
    },
  }
}

const noSuchResponse = (id: string, field: string) =>
  notFound(`${field}: response ${JSON.stringify(id.slice(0, 200))} not found; responses are kept for 30 days where \`store\` is true`, {
    param: field,
  })
