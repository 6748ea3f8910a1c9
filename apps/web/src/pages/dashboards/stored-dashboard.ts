import type { ObjectVersion } from '@heddle/core-api/types'
import { type Chart, isRecord, readChart } from '../../features/dashboard-charts/chart.ts'

/** Charts under one name. */
export interface Dashboard {
  name: string
  charts: readonly Chart[]
  /** Stored charts that this page cannot read. They are saved again unchanged. */
  unread: readonly unknown[]
}

/** The latest version of a dashboard. */
export interface StoredDashboard extends Dashboard {
  /** Name of the object that holds it. */
  objectId: string
  /** Digest of the version. */
  digest: string
  savedAt: string
  savedBy: string | null
  /** Whether it was saved in another form, so that this page cannot save it without losing what it does not know. */
  isOtherForm: boolean
}

/** Class of the objects that hold dashboards. */
export const dashboardClass = 'Dashboard'

/** Distinguishes dashboards of this page from those of other programs, which may use the same class name. */
const kind = 'heddle.dashboard'
/** Version of the stored format. */
const formVersion = 1

export const maxNameLength = 100
export const maxCharts = 20

/**
 * The value of the object that contains a dashboard. `basedOn` is the digest of the changed version, null for the first one: so no version has the
 * digest of an earlier one, and their order can be derived.
 * @throws RangeError for one that could not be read back
 */
export function toDashboardValue({ name, charts, unread }: Dashboard, basedOn: string | null) {
  if (name.trim() === '' || name.length > maxNameLength)
    throw new RangeError(`The name of a dashboard has 1 to ${maxNameLength} characters.`)
  if (charts.length + unread.length > maxCharts) throw new RangeError(`A dashboard has at most ${maxCharts} charts: remove one.`)
  return {
    _type: dashboardClass,
    _class_name: dashboardClass,
    _bases: ['Object', 'BaseModel'],
    name,
    kind,
    form_version: formVersion,
    based_on: basedOn,
    charts: [...charts, ...unread],
  }
}

type StoredObject = Pick<ObjectVersion, 'object_id' | 'digest' | 'created_at' | 'wb_user_id' | 'val'>

/** The dashboard that an object holds. Undefined for objects of other programs. */
export function toDashboard({ object_id, digest, created_at, wb_user_id, val }: StoredObject): StoredDashboard | undefined {
  if (!isRecord(val) || val['kind'] !== kind) return undefined
  const { name, form_version } = val
  const stored = { objectId: object_id, digest, savedAt: created_at, savedBy: wb_user_id }
  const isOtherForm = form_version !== formVersion
  const given: readonly unknown[] = !isOtherForm && Array.isArray(val['charts']) ? val['charts'] : []
  const charts = new Map<string, Chart>()
  const unread: unknown[] = []
  for (const value of given) {
    const chart = charts.size < maxCharts ? readChart(value) : undefined
    if (chart === undefined || charts.has(chart.id)) unread.push(value)
    else charts.set(chart.id, chart)
  }
  const shown = typeof name === 'string' && name.trim() !== '' ? name.slice(0, maxNameLength) : object_id
  return { ...stored, name: shown, charts: [...charts.values()], unread, isOtherForm }
}
