import type { BytesAnswer, FilePart } from '@heddle/core-api'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import vectors from '../../vectors/digest-vectors.json' with { type: 'json' }
import { type Objects, startObjects } from '../objects/testing/start-objects.ts'
import { filesHandlers } from './files-handlers.ts'

const emptyDigest = '47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU'

function aPart(part: Partial<FilePart> = {}): FilePart {
  return { field: 'file', filename: 'a.txt', content_type: 'text/plain', bytes: Buffer.from('hello'), ...part }
}

describe.each(['sqlite', 'postgres'] as const)('files on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let app: Objects
  let project_id: string
  let handlers: ReturnType<typeof filesHandlers>

  beforeAll(async () => {
    app = await startObjects(kind, postgresUrl)
    project_id = app.newProjectId()
    handlers = filesHandlers({ files: app.files, clock: () => app.time.now })
  })
  afterAll(() => app.close())

  const create = async (part: Partial<FilePart> = {}, expected_digest?: string) => {
    const input = { project_id, files: [aPart({ field: 'other' }), aPart(part)], expected_digest }
    return (await handlers.create(input, app.context('write'))) as { digest: string }
  }
  const content = async (digest: string, from = project_id) => {
    const { bytes, content_type } = (await handlers.content({ project_id: from, digest }, app.context('read'))) as BytesAnswer
    expect(content_type).toBe('application/octet-stream')
    return Buffer.from(bytes)
  }
  const nameOf = async (digest: string) => {
    const row = await app.database
      .selectFrom('files')
      .selectAll()
      .where('project_id', '=', project_id)
      .where('digest', '=', digest)
      .executeTakeFirst()
    return row?.name
  }

  test.each(vectors.vectors.filter((vector) => vector.kind === 'file'))(
    'as recorded, and read right after the write: $name',
    async (vector) => {
      const { bytes_hex, repeat } = vector as { bytes_hex?: string; repeat?: { byte_hex: string; times: number } }
      const bytes = repeat ? Buffer.alloc(repeat.times, Number.parseInt(repeat.byte_hex, 16)) : Buffer.from(bytes_hex ?? '', 'hex')
      expect(await create({ bytes })).toEqual({ digest: vector.digest })
      expect((await content(vector.digest)).equals(bytes)).toBe(true)
    },
  )

  test('every content is found again by its digest, in which two signs are letters', async () => {
    const contents = Array.from({ length: 60 }, (_, n) => Buffer.from(`content ${n}`))
    for (const bytes of contents) {
      const { digest } = await create({ bytes })
      expect((await content(digest)).equals(bytes)).toBe(true)
    }
  })

  test('an empty file is a file', async () => {
    expect(await create({ bytes: Buffer.alloc(0) })).toEqual({ digest: emptyDigest })
    expect(await content(emptyDigest)).toHaveLength(0)
  })

  test('the same content again is the same file and keeps its name', async () => {
    const first = await create({ bytes: Buffer.from('twice'), filename: 'first.txt' })
    expect(await create({ bytes: Buffer.from('twice'), filename: 'second.txt' })).toEqual(first)
    expect(await nameOf(first.digest)).toBe('first.txt')
  })

  test('writers of one content at the same time all succeed', async () => {
    const bytes = Buffer.from('together')
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ bytes })))
    expect(new Set(answers.map(({ digest }) => digest)).size).toBe(1)
    expect((await content(answers[0]?.digest ?? '')).equals(bytes)).toBe(true)
  })

  test('a part without a name gets one', async () => {
    const { digest } = await create({ bytes: Buffer.from('nameless'), filename: undefined })
    expect(await nameOf(digest)).toBe('<unnamed_file>')
  })

  test('an unexpected digest is refused and nothing is stored', async () => {
    const bytes = Buffer.from('unexpected')
    const refusal = await create({ bytes }, emptyDigest).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ status: 409, message: expect.stringContaining(emptyDigest) })
    const { digest } = await create({ bytes: Buffer.from('expected') })
    await create({ bytes: Buffer.from('expected') }, digest)
  })

  test('a request without the part is refused', async () => {
    const input = { project_id, files: [aPart({ field: 'other' })], expected_digest: undefined }
    await expect(handlers.create(input, app.context('write'))).rejects.toMatchObject({
      status: 422,
      issues: [{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }],
    })
  })

  test('the content of another project is not found, though the bytes are there', async () => {
    const { digest } = await create({ bytes: Buffer.from('secret') })
    const refusal = { status: 404, message: `File with digest ${digest} not found` }
    await expect(content(digest, app.newProjectId())).rejects.toMatchObject(refusal)
    const other = app.newProjectId()
    await app.open(other)
    await expect(content(digest, other)).rejects.toMatchObject(refusal)
  })

  test.each(['', 'nothing', '../../etc/passwd', 'X'.repeat(43)])('an unknown digest is not found: %j', async (digest) => {
    await expect(content(digest)).rejects.toMatchObject({ status: 404 })
  })
})
