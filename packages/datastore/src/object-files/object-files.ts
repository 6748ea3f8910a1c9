/** A file under a name that other programs read, in a folder or a bucket. Names are relative paths with slashes. */
export interface ObjectFiles {
  /** Replaces the file whole: a reader sees the old content or the new one. Resolves to its size once it is durable. */
  write(name: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<number>
  /** Text of a file; undefined if there is none. */
  readText(name: string): Promise<string | undefined>
  /** Nothing happens if there is no such file. */
  remove(name: string): Promise<void>
}

/** Names of more than this length, or with parts that a file system reads as something else, are refused. */
const safeName = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9=_.%/-]{1,900}$/

/** @throws Error for a name that could leave the folder: names are made of what this server encodes */
export function checkedName(name: string): string {
  if (!safeName.test(name) || name.startsWith('/')) throw new Error(`${JSON.stringify(name.slice(0, 200))} is not a name of a file`)
  return name
}
