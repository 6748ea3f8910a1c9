/**
 * When a row expires. The engine stores these times in 32 bits, which end in 2106: that means never. It ignores 0, and drops
 * a whole part when the latest counted time has passed, so rows that never expire need a time as well.
 */
export const expiryTtl =
  "toDateTime(if(expire_at > fromUnixTimestamp64Micro(toInt64(0)) AND expire_at < toDateTime64('2106-02-01 00:00:00', 6, 'UTC'), expire_at, toDateTime64('2106-02-01 00:00:00', 6, 'UTC')))"
