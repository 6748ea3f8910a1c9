export { ApiError, isApiError, type ApiErrorDetails, type ErrorCode, type Issue } from './errors.ts'
export {
  defineResource,
  type BytesAnswer,
  type Effect,
  type FilePart,
  type Handlers,
  type InputOf,
  type Operation,
  type OutputOf,
  type RequestOf,
  type Resource,
} from './operation.ts'
export { CallsFilter } from './shapes/calls-filter.ts'
export type { JsonObject } from './shapes/json-object.ts'
export { formatTimestamp, parseTimestamp, type Micros } from './shapes/parse-timestamp.ts'
export {
  QueryExpression,
  type QueryExpressionInput,
  type QueryOperand,
  type QueryOperation,
  type QueryValue,
} from './shapes/query-expression.ts'
export {
  formatConversationRef,
  formatRef,
  parseConversationRef,
  parseRef,
  type CallRef,
  type ConversationRef,
  type ObjectRef,
  type Ref,
  type RefEdge,
  type TableRef,
} from './shapes/ref.ts'
export { SortBy } from './shapes/sort.ts'
export { toInputSchema, type InputSchema } from './to-input-schema.ts'
export { callKindOf } from './tracing/calls/call-kind.ts'
export { callKinds, type CallKind } from './tracing/calls/call-words.ts'
export { displayNameOf, type NamedCall } from './tracing/calls/display-name.ts'
export { formatMention, mentionedIn, readNote, type NotePart } from './tracing/feedback/mentions.ts'
export { tracing } from './tracing/index.ts'
export { training } from './training/index.ts'
