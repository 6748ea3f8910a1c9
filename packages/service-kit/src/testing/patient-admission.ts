import { type Admission, createAdmission, defaultAdmissionLimits } from '../admission/admission.ts'

/** Queues requests for as long as a test runs, so that a busy machine does not fail it. */
export function patientAdmission(): Admission {
  const patience = { queueTimeoutMs: 60_000, shedAfterMs: 60_000 }
  const { writes, reads, links, statements } = defaultAdmissionLimits
  return createAdmission({
    limits: {
      writes: { ...writes, ...patience },
      reads: { ...reads, ...patience },
      links: { ...links, ...patience },
      statements: { ...statements, queueTimeoutMs: 60_000 },
    },
  })
}
