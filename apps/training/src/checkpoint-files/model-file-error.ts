/** A file of a model or a checkpoint with invalid or unsupported content. The message names the file. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError'
  readonly kind: 'damaged' | 'unsupported'

  constructor(kind: 'damaged' | 'unsupported', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
