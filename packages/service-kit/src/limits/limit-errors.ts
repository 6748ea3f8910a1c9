import { ApiError } from '@heddle/core-api'
import { type LimitName, tooLarge } from '@heddle/core-api/internal'

/** Clients that wait for the indicated time then try again within the hour. */
const longestWaitSeconds = 3_600

/** A limit that a project has reached. */
export interface ReachedLimit {
  name: LimitName
  value: number
  projectId: string
  /** Until the request may succeed. */
  waitSeconds: number
}

const reached: Record<LimitName, (value: number) => string> = {
  requests_per_minute: (value) => `has had the ${value} requests a minute that it may get (requests_per_minute)`,
  requests_per_minute_per_key: (value) =>
    `has had the ${value} requests a minute that it may get with one API key (requests_per_minute_per_key)`,
  ingested_bytes_per_day: (value) =>
    `would get more than the ${value} bytes of writes that it may get on a day in UTC (ingested_bytes_per_day), while reads still work`,
}

/** 429 that names the limit, its value and the way out. */
export function limitReached({ name, value, projectId, waitSeconds }: ReachedLimit): ApiError {
  return new ApiError(
    'too_many_requests',
    `project ${JSON.stringify(projectId)} ${reached[name](value)}; send the request again after ${waitSeconds} s, or have an administrator of the project raise the limit in its settings`,
    { retryAfterSeconds: Math.min(longestWaitSeconds, waitSeconds), extra: { limit: { name, value } } },
  )
}

/** 413: no day has room for the body. */
export function bodyBeyondDay(projectId: string, { bytes, limit }: { bytes: number; limit: number }): ApiError {
  return tooLarge(
    `the body has ${bytes} bytes, and project ${JSON.stringify(projectId)} may get ${limit} on a day (ingested_bytes_per_day); send it in parts, or have an administrator of the project raise the limit in its settings`,
  )
}

/** 400: a project cannot have more than its server allows. */
export function beyondServer(name: LimitName, { wanted, server }: { wanted: number; server: number }): ApiError {
  return new ApiError(
    'bad_request',
    `${name} is ${wanted}, but the operator of this server allows each project at most ${server}; choose a lower limit`,
  )
}
