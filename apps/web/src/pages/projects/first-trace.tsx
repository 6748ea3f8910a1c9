import { LongText } from '../../components/long-text.tsx'

/** How to send the first trace of a project. */
export function FirstTrace({ project }: { project: string }) {
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
