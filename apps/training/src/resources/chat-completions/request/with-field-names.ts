import { ApiError, isApiError } from '@heddle/core-api'

/** By fields of chat completions: the fields of another form of request from which their values come. */
export type FieldNames = Readonly<Record<string, string>>

/** Runs what refuses a field of a chat completion, and names the field as the client sent it. */
export async function withFieldNames<T>(names: FieldNames, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isApiError(error) ? renamed(error, names) : error
  }
}

function renamed(error: ApiError, names: FieldNames): ApiError {
  const { param } = error.extra
  const name = typeof param === 'string' ? names[param] : undefined
  if (name === undefined || !error.message.startsWith(String(param))) return error
  const { code, status, extra, cause } = error
  return new ApiError(code, name + error.message.slice(String(param).length), { status, cause, extra: { ...extra, param: name } })
}
