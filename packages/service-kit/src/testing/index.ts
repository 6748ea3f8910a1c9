export { payloadCanary } from './log-rules.ts'
export { scanLogs } from './scan-logs.ts'
export { appendLine, createTestLog, type TestLogOptions } from './test-log.ts'
export { patientAdmission } from './patient-admission.ts'
