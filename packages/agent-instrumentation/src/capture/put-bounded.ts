/** Adds to a map of pending work. Beyond `limit` entries the oldest is dropped: a framework may never report the end of abandoned work. */
export function putBounded<Value>(map: Map<string, Value>, key: string, value: Value, limit = 10_000): void {
  map.set(key, value)
  const oldest = map.size > limit ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
}
