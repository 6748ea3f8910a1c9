import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { LongText } from '../../components/long-text.tsx'
import { ShowQuery } from '../../components/show-query.tsx'

const waitingMs = 3_000
const mostCounted = 10_000

const traceCount = (project_id: string) =>
  queryOptions({
    queryKey: ['trace-count', project_id],
    queryFn: ({ signal }) => client.calls.queryStats({ project_id, filter: { trace_roots_only: true }, limit: mostCounted }, { signal }),
    // Until the first trace is there, this page waits for it.
    refetchInterval: ({ state }) => (state.data?.count === 0 ? waitingMs : false),
  })

/** What is in a project; where nothing is, how to send a first trace. */
export function ProjectHome() {
  const params = useProject()
  const query = useQuery(traceCount(params.id))
  return (
    <>
      <h1>{params.id}</h1>
      <ShowQuery query={query} what="how many traces there are">
        {({ count, has_more }) =>
          count === 0 ? (
            <FirstTrace project={params.id} />
          ) : (
            <p>
              <Link to="/$entity/$project/calls" params={params}>
                {has_more && 'More than '}
                {count.toLocaleString('en')} {count === 1 ? 'trace' : 'traces'}
              </Link>
            </p>
          )
        }
      </ShowQuery>
    </>
  )
}

function FirstTrace({ project }: { project: string }) {
  return (
    <>
      <p role="status">Waiting for the first trace. This page shows it when it arrives.</p>
      <p>Any program with an OpenTelemetry SDK sends its traces with these variables, with an API key in place of KEY:</p>
      <LongText label="Variables for a program" text={variablesFor(project)} />
    </>
  )
}

function variablesFor(project: string): string {
  return [
    'export OTEL_TRACES_EXPORTER=otlp',
    'export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${window.location.origin}/otel/v1/traces`,
    `export OTEL_EXPORTER_OTLP_TRACES_HEADERS="wandb-api-key=KEY,project_id=${project}"`,
  ].join('\n')
}
