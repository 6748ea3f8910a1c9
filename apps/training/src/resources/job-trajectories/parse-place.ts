import { notFound } from '@heddle/core-api/internal'

/** The place that an id ends with, after that of what it belongs to. @throws ApiError 404 for any other id */
export function parsePlace(id: string, parent: string): number {
  const place = id.startsWith(`${parent}:`) ? id.slice(parent.length + 1) : ''
  if (/^\d{1,7}$/.test(place)) return Number(place)
  throw notFound(`${JSON.stringify(id.slice(0, 100))} is not in this list; "after" takes the id of the last item of the page before`)
}
