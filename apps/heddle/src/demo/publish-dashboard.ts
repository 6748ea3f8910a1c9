import type { DemoContext } from './demo-context.ts'
import { scorerName } from './evaluation-definition.ts'

/** The same in each run, so that a later one adds no version. */
const dashboardId = 'dashboard-weather-agent'

const chart = (id: string, title: string, part: object) => ({
  id,
  title,
  measure: 'calls',
  level: 'roots',
  filter: '',
  by: null,
  form: 'bars',
  feedback: null,
  ...part,
})

const ofScorer = (path: string, isRate: boolean) => ({
  measure: 'feedback',
  form: 'line',
  feedback: { type: `wandb.runnable.${scorerName}`, path: `output.${path}`, isRate },
})

const charts = [
  chart('traces', 'Traces', { form: 'number' }),
  chart('errors', 'Error rate', { measure: 'error_rate', form: 'number' }),
  chart('p95', 'Latency p95', { measure: 'latency_p95', form: 'number' }),
  chart('cost', 'Cost', { measure: 'cost', form: 'number' }),
  chart('correct', 'Correct answers', ofScorer('correct', true)),
  chart('reward', 'Reward', ofScorer('reward', false)),
  chart('calls', 'Calls by op', { level: 'all', by: 'op' }),
  chart('latency', 'Latency p95 by op', { measure: 'latency_p95', level: 'all', by: 'op', form: 'line' }),
  chart('tokens', 'Tokens by model', { measure: 'tokens', by: 'model' }),
]

/** Charts of the calls of the demo, as the dashboards page stores them. Resolves to the name of their object. */
export async function publishDashboard({ tracing, options, signal }: DemoContext): Promise<string> {
  const val = {
    _type: 'Dashboard',
    _class_name: 'Dashboard',
    _bases: ['Object', 'BaseModel'],
    name: 'Weather agent',
    kind: 'heddle.dashboard',
    form_version: 1,
    based_on: null,
    charts,
  }
  await tracing.objects.create({ obj: { project_id: options.project, object_id: dashboardId, val } }, { signal })
  return dashboardId
}
