/** The text of a member's value in the text of a valid JSON object, exactly as it is written there. Of equal names the last. Undefined without it. */
export function memberText(json: string, name: string): string | undefined {
  let found: string | undefined
  let at = json.indexOf('{') + 1
  for (;;) {
    const nameStart = json.indexOf('"', at)
    if (nameStart < 0) return found
    const nameEnd = endOfString(json, nameStart)
    const valueStart = json.indexOf(':', nameEnd) + 1
    const valueEnd = endOfValue(json, valueStart)
    if (JSON.parse(json.slice(nameStart, nameEnd)) === name) found = json.slice(valueStart, valueEnd).trim()
    at = valueEnd + 1
  }
}

/** The texts of the items of a valid JSON list. */
export function itemTexts(json: string): string[] {
  const items: string[] = []
  for (let at = json.indexOf('[') + 1; ;) {
    const end = endOfValue(json, at)
    const item = json.slice(at, end).trim()
    if (item !== '') items.push(item)
    if (json[end] !== ',') return items
    at = end + 1
  }
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** Where the comma, brace or bracket behind a value is. */
function endOfValue(json: string, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; at += 1) {
    const character = json[at]!
    if (character === '"') at = endOfString(json, at) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (depth === 0 && (character === ',' || character === '}' || character === ']')) return at
    else if (character === '}' || character === ']') depth -= 1
  }
  return json.length
}
