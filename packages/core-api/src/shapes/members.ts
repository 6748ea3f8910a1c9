/** A member of a value that may be anything. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

/** The value at a path such as `inputs.messages.0.content`. A name may hold dots itself, which spans do: the longest that is there wins. */
export function valueAt(value: unknown, path: string): unknown {
  const whole = memberOf(value, path)
  if (whole !== undefined) return whole
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const member = memberOf(value, path.slice(0, dot))
    const found = member === undefined ? undefined : valueAt(member, path.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}
