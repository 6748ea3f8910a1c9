{{- define "heddle.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "heddle.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "heddle.serverSelector" -}}
{{ include "heddle.selector" . }}
app.kubernetes.io/component: server
{{- end }}

{{- define "heddle.labels" -}}
{{ include "heddle.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "heddle.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What every pod of the chart has: no token of the cluster, no rights, no root. */}}
{{- define "heddle.podDefaults" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  # Files in the volume keep the modes that the server gave them.
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "heddle.containerDefaults" -}}
image: {{ include "heddle.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Which secret has the value of which variable: a list of {variable, name, key}. */}}
{{- define "heddle.secretFiles" -}}
{{- $files := list }}
{{- with .Values.secrets.apiKey }}{{ if .name }}{{ $files = append $files (dict "variable" "HEDDLE_API_KEY" "name" .name "key" .key) }}{{ end }}{{ end }}
{{- if eq .Values.mode "scale-out" }}
{{- with .Values.secrets.clickhouseUrl }}{{ $files = append $files (dict "variable" "HEDDLE_CLICKHOUSE_URL" "name" .name "key" .key) }}{{ end }}
{{- with .Values.secrets.databaseUrl }}{{ $files = append $files (dict "variable" "HEDDLE_DATABASE_URL" "name" .name "key" .key) }}{{ end }}
{{- with .Values.secrets.blobs }}
{{- $files = append $files (dict "variable" "AWS_ACCESS_KEY_ID" "name" .name "key" .accessKeyId) }}
{{- $files = append $files (dict "variable" "AWS_SECRET_ACCESS_KEY" "name" .name "key" .secretAccessKey) }}
{{- end }}
{{- end }}
{{- range $variable, $secret := .Values.settingsFromSecrets }}{{ $files = append $files (dict "variable" $variable "name" $secret.name "key" $secret.key) }}{{ end }}
{{- toJson $files }}
{{- end }}

{{/* Settings by their variables. Secrets are files, by reference alone. The volume's own folder stays as the cluster makes it, so the data is in one below. */}}
{{- define "heddle.env" -}}
- { name: HEDDLE_HOST, value: 0.0.0.0 }
- { name: HEDDLE_PORT, value: {{ .Values.service.port | quote }} }
- { name: HEDDLE_DATA_DIR, value: /data/heddle }
{{- if eq .Values.mode "scale-out" }}
- { name: HEDDLE_BLOBS_URL, value: {{ .Values.blobsUrl | quote }} }
{{- end }}
{{- range include "heddle.secretFiles" . | fromJsonArray }}
- { name: {{ .variable }}_FILE, value: /run/secrets/heddle/{{ .variable }} }
{{- end }}
{{- range $variable, $value := .Values.settings }}
- { name: {{ $variable }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{- define "heddle.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if include "heddle.secretFiles" . | fromJsonArray }}
- { name: secrets, mountPath: /run/secrets/heddle, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Without the volume of the data. */}}
{{- define "heddle.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 1Gi } }
{{- with include "heddle.secretFiles" . | fromJsonArray }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret: { name: {{ .name | quote }}, items: [{ key: {{ .key | quote }}, path: {{ .variable }} }] }
      {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The pod of a server, without its volumes. */}}
{{- define "heddle.podSpec" -}}
{{ include "heddle.podDefaults" . }}
terminationGracePeriodSeconds: {{ add .Values.drain.delaySeconds .Values.drain.limitSeconds 20 }}
containers:
  - name: heddle
    {{- include "heddle.containerDefaults" . | nindent 4 }}
    args: [serve]
    env:
      {{- include "heddle.env" . | nindent 6 }}
      - { name: HEDDLE_DRAIN_DELAY_SECONDS, value: {{ .Values.drain.delaySeconds | quote }} }
      - { name: HEDDLE_DRAIN_LIMIT_SECONDS, value: {{ .Values.drain.limitSeconds | quote }} }
      {{- if .Values.ingress.basePath }}
      - { name: HEDDLE_BASE_PATH, value: {{ .Values.ingress.basePath | quote }} }
      {{- end }}
      {{- if .Values.otlpGrpc.enabled }}
      - { name: HEDDLE_OTLP_GRPC_ADDRESS, value: {{ printf "0.0.0.0:%d" (int .Values.otlpGrpc.port) | quote }} }
      {{- end }}
      {{- if .Values.metrics.enabled }}
      - { name: HEDDLE_METRICS_ADDRESS, value: {{ printf "0.0.0.0:%d" (int .Values.metrics.port) | quote }} }
      {{- end }}
    ports:
      - { name: http, containerPort: {{ .Values.service.port }} }
      {{- if .Values.otlpGrpc.enabled }}
      - { name: otlp-grpc, containerPort: {{ .Values.otlpGrpc.port }} }
      {{- end }}
      {{- if .Values.metrics.enabled }}
      - { name: metrics, containerPort: {{ .Values.metrics.port }} }
      {{- end }}
    # A first start, and settling the traces of an older version, may take long.
    startupProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 5
      timeoutSeconds: 2
      failureThreshold: 240
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 3
      timeoutSeconds: 2
      failureThreshold: 2
    livenessProbe:
      httpGet: { path: /livez, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    resources: {{ toYaml .Values.resources | nindent 6 }}
    volumeMounts:
      {{- include "heddle.mounts" . | nindent 6 }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "heddle.podMetadata" -}}
labels:
  {{- include "heddle.labels" . | nindent 2 }}
  app.kubernetes.io/component: server
  {{- with .Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .Values.podAnnotations }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
