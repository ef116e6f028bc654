import type { Selectable } from 'kysely'

/** A second factor of a user. */
export interface UserFactorsTable {
  id: string
  user_id: string
  kind: 'TOTP' | 'PASSKEY'
  /** The user's own name of it. */
  name: string | null
  /** Of a TOTP: the encrypted secret. */
  secret: string | null
  /** Of a passkey: the id of the credential, base64url. */
  credential_id: string | null
  /** Of a passkey: the COSE key, base64url. */
  public_key: string | null
  /** Of a passkey: JSON array of how the browser may reach it. */
  transports: string | null
  /** Of a TOTP: the time step of the last spent code. Of a passkey: its last signature counter. */
  counter: number
  created: string
  /** When a first code proved that the secret has arrived; null until then, and it counts from then on. */
  confirmed: string | null
  last_used: string | null
}

export type UserFactor = Selectable<UserFactorsTable>

export interface RecoveryCodesTable {
  user_id: string
  /** The first four characters, by which a code is found. */
  selector: string
  /** argon2id of the whole code in PHC string format. */
  hash: string
  created: string
  used: string | null
}

/** Challenges of WebAuthn that are not answered yet. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the challenge, hex. */
  hash: string
  purpose: 'REGISTER' | 'SIGN_IN' | 'STEP_UP'
  /** SHA-256 of the cookie of the browser that asked, hex. */
  browser: string
  expires: string
}

/** Users who have given their password and not yet their second factor. */
export interface SignInStepsTable {
  /** SHA-256 of the cookie, hex. */
  hash: string
  user_id: string
  expires: string
}
