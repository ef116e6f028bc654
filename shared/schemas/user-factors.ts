import { z } from 'zod'
import { flag, instant, instantOrNull, recordText, text } from './common.ts'

/** What the console sends and gets about how its user signs in. */

const name = text(100).min(1)

/** What the library of the browser exchanges with the one of the server, which checks it. */
const webauthn = z.looseObject({})

export const passkeyRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  created: instant,
  last_used: instantOrNull,
})

export const factorsRecord = z.strictObject({
  totp: z.strictObject({ created: instant, last_used: instantOrNull }).nullable(),
  passkeys: z.array(passkeyRecord),
  /** Null before the first factor. */
  recovery_codes_left: z.int().nullable(),
  policy: z.enum(['off', 'live', 'always']),
  /** The policy requires a second factor somewhere, and this session has used none. */
  missing: flag,
  /** The origin of the console if it has a host of its own; else null. */
  console_url: z.string().nullable(),
  session: z.strictObject({
    hours: z.int(),
    idle_minutes: z.int(),
    step_up_minutes: z.int(),
  }),
})

export type Factors = z.output<typeof factorsRecord>
export type Passkey = z.output<typeof passkeyRecord>

export const factorsResponse = z.strictObject({ factors: factorsRecord })

export const newTotpResponse = z.strictObject({
  totp: z.strictObject({
    secret: recordText('In base32.'),
    uri: recordText('What the QR code carries.'),
  }),
})

export const confirmTotpRequest = z.strictObject({ totp: z.strictObject({ code: text(20) }) })

/** `recovery_codes` are present when there are new ones, and shown once. */
export const enrolledResponse = z.strictObject({
  factors: factorsRecord,
  recovery_codes: z.array(z.string()).nullable(),
})

export type Enrolled = z.output<typeof enrolledResponse>

export const optionsResponse = z.strictObject({ options: webauthn })

export const addPasskeyRequest = z.strictObject({
  passkey: z.strictObject({ name, response: webauthn }),
})

export const renamePasskeyRequest = z.strictObject({ passkey: z.strictObject({ name }) })

export const changePasswordRequest = z.strictObject({
  password: z.strictObject({ new: z.string().max(2000), revoke_grants: flag.optional() }),
})

export const changedPasswordResponse = z.strictObject({ grants_revoked: z.int() })

export const stepUpOptionsResponse = z.strictObject({
  step_up: z.strictObject({
    /** Whether the password must come with a code. */
    code: flag,
    /** Null for a user without a passkey. */
    passkey: webauthn.nullable(),
  }),
})

export type StepUpOptions = z.output<typeof stepUpOptionsResponse>['step_up']

export const stepUpRequest = z.strictObject({
  step_up: z.union([
    z.strictObject({ passkey: webauthn }),
    z.strictObject({ password: z.string().max(2000), code: text(40).optional() }),
  ]),
})

export const stepUpResponse = z.strictObject({ step_up: z.strictObject({ until: instant }) })
