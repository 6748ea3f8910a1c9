/** A folder that does not hold a supported base model. The message names the file, the key and what is allowed. */
export class BaseModelError extends Error {
  override readonly name = 'BaseModelError'
}
