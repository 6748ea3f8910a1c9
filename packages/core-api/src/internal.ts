// Exports for the services of this repository, in addition to the public entries. They are not covered by semantic versioning.
export { badRequest, conflict, forbidden, invalid, notFound, tooLarge, tooManyRequests, unauthenticated, unavailable } from './errors.ts'
export {
  addsStorage,
  EventsAnswer,
  HttpAnswer,
  isAudited,
  JsonPieces,
  JsonText,
  type BytesStream,
  type StagedBytes,
  type ReceivedPart,
  type StagedBody,
} from './operation.ts'
export { checked, Refusal } from './shapes/checked.ts'
export { maxIdentifierLength } from './shapes/identifier.ts'
export { isJsonNumber, numberText } from './shapes/json-number.ts'
export { isJsonObject } from './shapes/json-object.ts'
export { LenientBoolean, LenientInt } from './shapes/lenient.ts'
export { joinPath, pathBelow, splitPath } from './shapes/field-path.ts'
export { countsFromEnd, isQueryable, maxPathCharacters, maxPathParts } from './shapes/queryable-path.ts'
export { memberOf, nestingsOf, valueAt } from './shapes/members.ts'
export { type Pace, parsePaced } from './shapes/pace.ts'
export { type TooManyEntries } from './shapes/bounded.ts'
export { toObjectName } from './shapes/object-name.ts'
export { orDefault, orNull } from './shapes/optional.ts'
export { isRecordedId } from './shapes/recorded-id.ts'
export { conversationRefsOf, internalRefScheme, privateRefScheme, refScheme } from './shapes/ref.ts'
export { isRequestId, requestIdHeader, requestIdOr } from './shapes/request-id.ts'
export { Timestamp } from './shapes/timestamp.ts'
export { isUuid } from './shapes/uuid.ts'
export { callNamePaths, callWordPaths, callWordsOf } from './tracing/calls/call-words.ts'
export { maxTiers } from './tracing/costs.ts'
export { userFields } from './tracing/data-deletions.ts'
export { FeedbackAggregate, FeedbackAggregateAnswer } from './tracing/feedback/feedback-aggregate.ts'
export { AnnotationItemsFilter } from './tracing/annotation-queues/annotation-queue-queries.ts'
export { FeedbackPayloadSchemaAnswer, FeedbackStats, FeedbackStatsAnswer } from './tracing/feedback/feedback-stats.ts'
export { ObjectsQuery } from './tracing/objects/objects-query.ts'
export { judgeScorerClass, ruleScorerClasses, serverScorerClasses } from './tracing/server-scorers.ts'
export {
  type LimitChanges,
  type LimitName,
  limitNames,
  type LimitValues,
  maxIngestedBytesPerDay,
  maxRequestsPerMinute,
} from './tracing/project-limits.ts'
export { TableQuery } from './tracing/tables.ts'
export { ChatChoice, ChatMessage } from './training/message-or-choice.ts'
export type { SftConfig } from './training/sft-config.ts'
export { TrajectoryGroupFields, trajectoryLimits } from './training/trajectory.ts'
export { assertFiniteNumbers, assertFiniteOptions } from './client/finite-numbers.ts'
export { readEventData } from './client/read-event-data.ts'
export { parseRetryAfter } from './client/retry.ts'
export { NotUtf8, readUtf8Lines } from './shapes/utf8-lines.ts'
