export { bucketStarts, type BucketRange } from './bucket-starts.ts'
export { type LocalTime, localTime, momentOfLocal } from './local-time.ts'
export { isTimeZone, ownTimeZone, zoneClock, type ZoneClock } from './zone-clock.ts'
