export { ApiError, isApiError, type ErrorCode, type Issue } from '../errors.ts'
export type { CallOptions, ClientOf } from './client-of.ts'
export { createClient, type ClientOptions, type JsonCodec } from './create-client.ts'
export { readJsonl, type JsonlOptions } from './read-jsonl.ts'
