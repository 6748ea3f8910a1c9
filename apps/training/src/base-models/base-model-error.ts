/** A folder without a supported base model. The message names the file, the key and the permitted values. */
export class BaseModelError extends Error {
  override readonly name = 'BaseModelError'
}
