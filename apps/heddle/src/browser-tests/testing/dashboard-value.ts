/** A dashboard as its page stores it. */
export const dashboardValue = (value: { name: string; charts: unknown[]; form_version?: number }) => ({
  _type: 'Dashboard',
  _class_name: 'Dashboard',
  _bases: ['Object', 'BaseModel'],
  kind: 'heddle.dashboard',
  form_version: 1,
  based_on: null,
  ...value,
})

/** A chart of a dashboard: bars of all calls, where `part` does not say otherwise. */
export const aChart = (title: string, part: object = {}) => ({
  id: title.slice(0, 60),
  title,
  measure: 'calls',
  level: 'all',
  filter: '',
  by: null,
  form: 'bars',
  feedback: null,
  ...part,
})
