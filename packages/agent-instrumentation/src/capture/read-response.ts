const decoder = new TextDecoder()

/** A response whose body has been read before the program reads it. */
export interface ReadResponse {
  text: string
  /** The same response, whose body can be read once, as if it had not been read; a copy of one that is frozen. */
  response: Response
}

interface Content {
  bytes: Uint8Array<ArrayBuffer>
  text: string
  wasRead: boolean
  /** As it was read here. */
  body: Response['body']
  /** For streams, which few programs read where a response is not one. */
  copy: Response | undefined
}

/** Key of the content on the response itself; a map of all responses would cost more at each garbage collection. */
const readContent = Symbol('heddle.read-content')

/**
 * Reads the body, and gives the response methods that return the bytes read. A copy would cost one stream per response, and lose properties that a
 * copy cannot have, such as its address.
 */
export async function readResponse(response: Response): Promise<ReadResponse> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = decoder.decode(bytes)
  if (!Object.isExtensible(response)) return { text, response: new Response(bytes, response) }
  const content: Content = { bytes, text, wasRead: false, body: response.body, copy: undefined }
  Object.defineProperty(response, readContent, { value: content })
  Object.setPrototypeOf(response, withReadBody(Object.getPrototypeOf(response) as object))
  return { text, response }
}

const prototypes = new WeakMap<object, object>()

/** One for each class of responses: members of each response would cost more than the rest of this. */
function withReadBody(original: object): object {
  const known = prototypes.get(original)
  if (known) return known
  const derived = Object.create(original, Object.getOwnPropertyDescriptors(readBody)) as object
  prototypes.set(original, derived)
  return derived
}

const readBody = {
  async json(this: Response): Promise<unknown> {
    return JSON.parse(read(this).text)
  },
  async text(this: Response): Promise<string> {
    return read(this).text
  },
  async arrayBuffer(this: Response): Promise<ArrayBuffer> {
    return read(this).bytes.buffer
  },
  async bytes(this: Response): Promise<Uint8Array> {
    return read(this).bytes
  },
  async blob(this: Response): Promise<Blob> {
    return copyOf(this).blob()
  },
  async formData(this: Response): Promise<FormData> {
    return copyOf(this).formData()
  },
  clone(this: Response): Response {
    return copyOf(this).clone()
  },
  get body(): Response['body'] {
    const content = contentOf(this)
    return content.wasRead ? content.body : copied(this, content).body
  },
  get bodyUsed(): boolean {
    const { wasRead, copy } = contentOf(this)
    return wasRead || copy?.bodyUsed === true
  },
}

function contentOf(response: object): Content {
  const content = (response as { [readContent]?: Content })[readContent]
  if (!content) throw new TypeError('Illegal invocation')
  return content
}

function usable(response: Response): Content {
  const content = contentOf(response)
  const { wasRead, copy } = content
  if (wasRead || copy?.bodyUsed || copy?.body?.locked) throw new TypeError('Body is unusable: Body has already been read')
  return content
}

function read(response: Response): Content {
  const content = usable(response)
  content.wasRead = true
  return content
}

const copyOf = (response: Response) => copied(response, usable(response))

function copied(response: object, content: Content): Response {
  return (content.copy ??= new Response(content.bytes, response))
}
