import type { PayloadColumn } from './calls-store.ts'

/** Top-level fields that a list of columns selects; a path selects its first part, `x_dump` means `x`. Undefined = all, also for an empty list. */
export function selectedFields(columns: readonly string[] | null): ReadonlySet<string> | undefined {
  if (columns === null || columns.length === 0) return undefined
  return new Set(columns.map((column) => (column.split('.', 1)[0] ?? '').replace(/_dump$/, '')))
}

/** Payload columns that must be read to show the fields, and the costs where they are asked for. */
export function neededPayloads(fields: ReadonlySet<string> | undefined, includeCosts: boolean): Set<PayloadColumn> {
  const needed = new Set<PayloadColumn>(includeCosts ? ['summary'] : [])
  for (const name of ['attributes', 'inputs', 'output', 'summary'] as const) if (fields === undefined || fields.has(name)) needed.add(name)
  // The raw span is shown in the attributes, and repeats parts of the others.
  if (needed.has('attributes')) for (const name of ['otel', 'inputs', 'output'] as const) needed.add(name)
  return needed
}
