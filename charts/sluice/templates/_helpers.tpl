{{- define "sluice.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "sluice.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "sluice.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- define "sluice.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{/* A variable from a text, which is left out where it is empty. */}}
{{- define "sluice.text" -}}
{{- if .value }}
- name: {{ .name }}
  value: {{ .value | toString | quote }}
{{- end }}
{{- end }}

{{/* A variable from a Secret. */}}
{{- define "sluice.secret" -}}
{{- if .from }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .from.name | quote }}, key: {{ .from.key | quote }} }
{{- end }}
{{- end }}

{{/* A URL from a text or from a Secret. */}}
{{- define "sluice.url" -}}
{{- if and .at.url .at.secret }}{{ fail (printf "%s: set url or secret, not both" .title) }}{{ end }}
{{- if regexMatch "^[a-z]+://[^/@]*:[^/@]+@|[?&]password=" .at.url }}{{ fail (printf "%s.url has a password: put the URL into a Secret, and name it with %s.secret" .title .title) }}{{ end }}
{{- include "sluice.text" (dict "name" .name "value" .at.url) }}
{{- include "sluice.secret" (dict "name" .name "from" .at.secret) }}
{{- end }}

{{/* Ends with 0 where the board has answered /api/status with one of the codes. It gives what it knows of a login. */}}
{{- define "sluice.probe" -}}
exec:
  command:
    - node
    - --eval
    - >-
      const { BOARD_TOKENS = '', BOARD_USER, BOARD_PASSWORD } = process.env;
      const [token] = BOARD_TOKENS.split(',');
      const word = token
      ? 'Bearer ' + token.trim()
      : 'Basic ' + Buffer.from(BOARD_USER + ':' + BOARD_PASSWORD).toString('base64');
      fetch('http://127.0.0.1:{{ .port }}{{ .path }}/api/status', { headers: { authorization: word } })
      .then(({ status }) => process.exit([{{ .codes }}].includes(status) ? 0 : 1), () => process.exit(1));
timeoutSeconds: 5
{{- end }}

{{/* The settings of `sluice board`, each as its variable. */}}
{{- define "sluice.env" -}}
{{- $at := .Values }}
{{- $auth := $at.auth }}
{{- $kinds := list }}
{{- if $auth.token.secret }}{{ $kinds = append $kinds "token" }}{{ end }}
{{- if or $auth.basic.user $auth.basic.secret }}{{ $kinds = append $kinds "basic" }}{{ end }}
{{- if or $auth.oidc.issuer $auth.oidc.clientId }}{{ $kinds = append $kinds "oidc" }}{{ end }}
{{- if $auth.insecureNoAuth }}{{ $kinds = append $kinds "insecureNoAuth" }}{{ end }}
{{- if ne (len $kinds) 1 }}{{ fail (printf "auth: set one of token.secret, basic, oidc and insecureNoAuth; these are set: %s" (join ", " $kinds | default "none")) }}{{ end }}
{{- if and (has "basic" $kinds) (not (and $auth.basic.user $auth.basic.secret)) }}{{ fail "auth.basic needs user and secret" }}{{ end }}
{{- if and (has "oidc" $kinds) (not (and $auth.oidc.issuer $auth.oidc.clientId)) }}{{ fail "auth.oidc needs issuer and clientId" }}{{ end }}
{{- if not (or $at.redis.url $at.redis.secret $at.postgres.url $at.postgres.secret $at.pgq.url $at.pgq.secret) }}{{ fail "set a datastore: redis, postgres or pgq, with url or secret" }}{{ end }}
{{- $seals := or (has "token" $kinds) (has "oidc" $kinds) }}
{{- if and (gt (int $at.replicaCount) 1) $seals (not $auth.sessionSecret) }}{{ fail "auth.sessionSecret is needed by more than one replica" }}{{ end }}
{{- if and $auth.sessionSecret (not $seals) }}{{ fail "auth.sessionSecret needs auth.token or auth.oidc: others have no sessions" }}{{ end }}
- name: BOARD_HOST
  value: 0.0.0.0
{{- include "sluice.text" (dict "name" "BOARD_PORT" "value" $at.containerPort) }}
{{- include "sluice.url" (dict "name" "BOARD_KV_URL" "title" "redis" "at" $at.redis) }}
{{- include "sluice.url" (dict "name" "BOARD_POSTGRES_URL" "title" "postgres" "at" $at.postgres) }}
{{- include "sluice.text" (dict "name" "BOARD_POSTGRES_SCHEMA" "value" $at.postgres.schema) }}
{{- include "sluice.url" (dict "name" "BOARD_PGQ_URL" "title" "pgq" "at" $at.pgq) }}
{{- include "sluice.text" (dict "name" "BOARD_PGQ_SCHEMA" "value" $at.pgq.schema) }}
{{- include "sluice.text" (dict "name" "BOARD_PGQ_QUEUES" "value" (join "," $at.pgq.queues)) }}
{{- include "sluice.secret" (dict "name" "BOARD_TOKENS" "from" $auth.token.secret) }}
{{- include "sluice.text" (dict "name" "BOARD_USER" "value" $auth.basic.user) }}
{{- include "sluice.secret" (dict "name" "BOARD_PASSWORD" "from" $auth.basic.secret) }}
{{- with $auth.oidc }}
{{- if .issuer }}
{{- include "sluice.text" (dict "name" "BOARD_OIDC_ISSUER" "value" .issuer) }}
{{- include "sluice.text" (dict "name" "BOARD_OIDC_CLIENT_ID" "value" .clientId) }}
{{- include "sluice.secret" (dict "name" "BOARD_OIDC_CLIENT_SECRET" "from" .clientSecret) }}
{{- include "sluice.text" (dict "name" "BOARD_OIDC_ROLES" "value" (join "," .roles)) }}
{{- include "sluice.text" (dict "name" "BOARD_OIDC_BEARER_ONLY" "value" .bearerOnly) }}
{{- end }}
{{- end }}
{{- include "sluice.text" (dict "name" "BOARD_INSECURE_NO_AUTH" "value" $auth.insecureNoAuth) }}
{{- include "sluice.secret" (dict "name" "BOARD_SESSION_SECRET" "from" $auth.sessionSecret) }}
{{- with $at.board }}
{{- include "sluice.text" (dict "name" "BOARD_BASE_PATH" "value" .basePath) }}
{{- include "sluice.text" (dict "name" "BOARD_PUBLIC_URL" "value" .publicUrl) }}
{{- include "sluice.text" (dict "name" "BOARD_TRUST_PROXY" "value" .trustProxy) }}
{{- include "sluice.text" (dict "name" "BOARD_BOARD_TITLE" "value" .title) }}
{{- include "sluice.text" (dict "name" "BOARD_READ_ONLY" "value" .readOnly) }}
{{- include "sluice.text" (dict "name" "BOARD_PREFIX" "value" (join "," .prefix)) }}
{{- include "sluice.text" (dict "name" "BOARD_QUEUES" "value" (join "," .queues)) }}
{{- include "sluice.text" (dict "name" "BOARD_SCAN_INTERVAL" "value" (.scanInterval | toString)) }}
{{- if .history.enabled }}
{{- include "sluice.text" (dict "name" "BOARD_HISTORY" "value" true) }}
{{- include "sluice.text" (dict "name" "BOARD_HISTORY_RETENTION_DAYS" "value" .history.retentionDays) }}
{{- end }}
{{- end }}
{{- with $at.extraEnv }}{{ toYaml . | nindent 0 }}{{ end }}
{{- end }}
