import { Readable } from 'node:stream'
import { unpackCheckpoint } from '../../checkpoint-files/checkpoint-archive.ts'
import { copyTokenizer } from '../../checkpoint-files/copy-tokenizer.ts'
import { assertFitsModel, type BaseOfWeights } from '../../checkpoint-files/fits-model.ts'

export interface UnpackForModel {
  /** Where the files are written. */
  folder: string
  base: BaseOfWeights
  maxBytes: number
}

/**
 * Writes the weights in an archive into a folder, checks that models of this base can continue from them, and adds the tokenizer of the base, which
 * reads and writes chats. Yields once. @throws ModelFileError that describes the problem of the archive
 */
export async function* unpackForModel(
  content: AsyncIterable<Uint8Array>,
  { folder, base, maxBytes }: UnpackForModel,
  signal: AbortSignal,
): AsyncGenerator<true> {
  await unpackCheckpoint(Readable.from(content), folder, { maxBytes, signal })
  assertFitsModel(folder, base)
  copyTokenizer(base.folder, folder)
  yield true
}
