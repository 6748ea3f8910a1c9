/** Reads one body from its beginning. Its input and yielded items can be cloned, so that a thread may run it. */
export type BodyTask<Input, Item> = (content: AsyncIterable<Uint8Array>, input: Input, signal: AbortSignal) => AsyncGenerator<Item>

/** Tasks by name: a thread receives only the name. */
export type BodyTasks = Readonly<Record<string, BodyTask<never, unknown>>>
