import { defineResource, type Handlers } from '@heddle/core-api'
import { LenientInt, orNull, unauthenticated } from '@heddle/core-api/internal'
import { z } from 'zod'
import { readCredential } from '../auth/credentials.ts'
import type { ServiceLog } from '../response/error-body.ts'
import type { MountOptions } from '../routing/mount-options.ts'
import type { StagedUpload, StageUpload } from '../request/staged-uploads.ts'
import { mount } from '../routing/mount.ts'
import { serviceOf } from '../routing/service-of.ts'

/** A contract with one operation of each kind. */
export const samples = defineResource('Samples', {
  health: { method: 'GET', path: '/health', effect: 'read', summary: 'Say ok', open: true, output: z.object({ status: z.string() }) },
  create: {
    method: 'POST',
    path: '/sample/create',
    aliases: ['/samples/create/'],
    effect: 'write',
    summary: 'Echo a value',
    body: z.object({
      project_id: z.string(),
      value: z.unknown().optional(),
      count: orNull(LenientInt),
      mode: z.enum(['a', 'b']).nullish(),
    }),
    output: z.unknown(),
  },
  tag: {
    method: 'PUT',
    path: '/samples/{object_id}/tags/{tag}',
    effect: 'write',
    summary: 'Echo path, query and headers',
    params: z.object({ object_id: z.string(), tag: z.string() }),
    query: z.object({ limit: LenientInt.optional(), name: z.array(z.string()).optional(), one: z.string().optional() }),
    headers: z.object({ project_id: z.string().optional() }),
    output: z.unknown(),
  },
  named: { method: 'GET', path: '/samples/{object_id}/tags/all', effect: 'read', summary: 'A fixed path', output: z.unknown() },
  remove: {
    method: 'DELETE',
    path: '/samples/{object_id}',
    effect: 'destroy',
    summary: 'Delete with a body',
    params: z.object({ object_id: z.string() }),
    body: z.object({ digests: z.array(z.string()).nullish(), object_id: z.string().optional() }),
    output: z.unknown(),
  },
  upload: {
    method: 'POST',
    path: '/upload',
    effect: 'write',
    summary: 'Echo a form',
    multipart: z.object({ project_id: z.string(), expected_digest: z.string().optional() }),
    parts: { file: 'The bytes', empty: 'More bytes' },
    output: z.unknown(),
  },
  raw: { method: 'POST', path: '/raw', effect: 'write', summary: 'Echo bytes', bytes: ['application/x-protobuf'], output: 'bytes' },
  content: { method: 'POST', path: '/content', effect: 'read', summary: 'Bytes of a user', body: z.object({}), output: 'bytes' },
  stream: {
    method: 'POST',
    path: '/stream',
    effect: 'read',
    summary: 'Rows',
    stream: 'jsonl',
    body: z.object({ rows: z.number() }),
    output: z.unknown(),
  },
})

export interface SampleContext {
  caller: string | undefined
  signal: AbortSignal
}

type SampleHandlers = Handlers<typeof samples, SampleContext>

async function* countTo(rows: number) {
  for (let row = 0; row < rows; row++) yield { row }
}

const echo = async (input: unknown) => input

const handlers: SampleHandlers = {
  health: async () => ({ status: 'ok' }),
  create: echo,
  tag: echo,
  named: async () => ({ fixed: true }),
  remove: echo,
  upload: async (input) => ({
    ...input,
    files: input.files.map(({ content, ...file }) => ({ ...file, bytes: (content as StagedText).text })),
  }),
  raw: async ({ bytes, content_type }) => ({ bytes, content_type: content_type ?? '' }),
  content: async () => ({ bytes: new TextEncoder().encode('<script>'), content_type: 'application/octet-stream' }),
  stream: async ({ rows }) => countTo(rows),
}

export type SampleOptions = Partial<Omit<MountOptions<{ samples: typeof samples }, string, SampleContext>, 'handlers'>> & {
  handlers?: Partial<SampleHandlers>
}

/** An upload in memory, as text. */
export interface StagedText extends StagedUpload {
  text: string
  isDropped: boolean
}

/** Stages uploads as text; `uploads` are all there were. */
export function stageTexts(): { uploads: StagedText[]; stageUpload: StageUpload } {
  const uploads: StagedText[] = []
  return {
    uploads,
    async stageUpload(content) {
      const chunks: Uint8Array[] = []
      for await (const chunk of content) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const upload: StagedText = {
        digest: '',
        sizeBytes: bytes.byteLength,
        text: bytes.toString(),
        isDropped: false,
        async *read() {
          yield bytes
        },
        keep: async () => undefined,
        async drop() {
          upload.isDropped = true
        },
      }
      uploads.push(upload)
      return upload
    },
  }
}

/** The sample contract, served. The only key is `key`. */
export function sampleService(options: SampleOptions = {}) {
  const { log, nowMs } = options
  return serviceOf([mountSamples(options)], { ...(log && { log }), ...(nowMs && { nowMs }) })
}

/** The same, to be served beside others. */
export function mountSamples(options: SampleOptions = {}) {
  const { handlers: replaced, ...rest } = options
  return mount({
    name: 'kit',
    resources: { samples },
    handlers: { samples: { ...handlers, ...replaced } },
    authenticate: ({ headers }) => {
      if (readCredential(headers) !== 'key') throw unauthenticated()
      return 'ada'
    },
    keyId: () => 'key-1',
    stageUpload: stageTexts().stageUpload,
    context: (caller, _operation, { request }) => ({ caller, signal: request.signal }),
    ...rest,
  })
}

/** What a service wrote to its log. */
export function recordedLog(): ServiceLog & { lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = []
  return {
    lines,
    info: (fields, message) => void lines.push({ level: 'info', fields, message }),
    error: (fields, message) => void lines.push({ level: 'error', fields, message }),
  }
}
