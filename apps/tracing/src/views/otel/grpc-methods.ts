/** The methods of OTLP over gRPC, and the paths of OTLP over HTTP that take the same messages: https://opentelemetry.io/docs/specs/otlp/#otlpgrpc */
export const otlpGrpcMethods: ReadonlyMap<string, string> = new Map([
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', '/otel/v1/traces'],
  ['/opentelemetry.proto.collector.logs.v1.LogsService/Export', '/otel/v1/logs'],
])
