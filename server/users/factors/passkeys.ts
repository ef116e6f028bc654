import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { formatInstant } from '../../../shared/rules/time.ts'
import { hashSecret } from '../../auth/secrets.ts'
import type { Config } from '../../config.ts'
import { fromJson, toJson } from '../../db/json.ts'
import type { PasskeyChallengesTable, UserFactor } from '../../db/tables/factors.ts'
import type { User } from '../../db/tables/users.ts'
import type { Db } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import {
  consumeChallenge,
  findPasskey,
  insertChallenge,
  listPasskeys,
  raiseCounter,
  touchFactor,
} from './store.ts'

// The library is large and few requests need it, so it is loaded with the first one that does.
const library = () => import('@simplewebauthn/server')

const CHALLENGE_MS = 5 * 60_000
/** EdDSA, ES256 and RS256, in this order, by their COSE identifiers: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]

interface Deps {
  db: Db
  config: Config
  now: () => number
}

/** `browser` is a secret of the browser that asks: only that browser can answer. */
interface Asked {
  browser: string
}

/** Returns what a browser needs to create a passkey of a user. */
export async function registrationOptions(
  deps: Deps,
  user: Pick<User, 'id' | 'email'>,
  { browser }: Asked,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  const known = await listPasskeys(deps.db, user.id)
  const options = await generateRegistrationOptions({
    rpName: 'Checkstand',
    rpID: relyingParty(deps.config),
    userName: user.email,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(credentialOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(deps, { challenge: options.challenge, purpose: 'REGISTER', browser })
  return options
}

/** Returns what a browser needs to use a passkey: one of the user's, or any that it finds for this site. */
export async function authenticationOptions(
  deps: Deps,
  asked: Asked & { purpose: 'SIGN_IN' | 'STEP_UP'; userId?: string },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  const known = asked.userId === undefined ? [] : await listPasskeys(deps.db, asked.userId)
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: known.map(credentialOf),
  })
  await storeChallenge(deps, { ...asked, challenge: options.challenge })
  return options
}

/** Returns the new passkey, which is not stored yet; undefined when the answer does not hold. */
export async function verifyRegistration(
  deps: Deps,
  user: Pick<User, 'id'>,
  { browser, name, response }: Asked & { name: string; response: RegistrationResponseJSON },
): Promise<UserFactor | undefined> {
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) =>
      spendChallenge(deps, { challenge, purpose: 'REGISTER', browser }),
    expectedOrigin: deps.config.consoleUrl,
    expectedRPID: relyingParty(deps.config),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { credential } = verified.registrationInfo
  const now = deps.now()
  return {
    id: newId('uf', now),
    user_id: user.id,
    kind: 'PASSKEY',
    name,
    secret: null,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    transports: toJson(credential.transports ?? []),
    counter: credential.counter,
    created: formatInstant(now),
    confirmed: formatInstant(now),
    last_used: null,
  }
}

/** Returns the passkey that signed the challenge; undefined when the answer does not hold. */
export async function verifyPasskey(
  deps: Deps,
  asked: Asked & { purpose: 'SIGN_IN' | 'STEP_UP'; response: AuthenticationResponseJSON },
): Promise<UserFactor | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { response, purpose, browser } = asked
  const passkey = await findPasskey(deps.db, response.id)
  if (passkey?.public_key == null) return undefined
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => spendChallenge(deps, { challenge, purpose, browser }),
    expectedOrigin: deps.config.consoleUrl,
    expectedRPID: relyingParty(deps.config),
    requireUserVerification: true,
    credential: {
      ...credentialOf(passkey),
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const now = formatInstant(deps.now())
  const { newCounter: counter } = verified.authenticationInfo
  // Passkeys that are synchronized between devices have no counter and send 0.
  if (counter === 0) await touchFactor(deps.db, passkey.id, now)
  else if (!(await raiseCounter(deps.db, passkey.id, { counter, now }))) return undefined
  return passkey
}

/** Passkeys belong to the host of the console. */
function relyingParty({ consoleUrl }: Config): string {
  return new URL(consoleUrl).hostname
}

function credentialOf({ credential_id, transports }: UserFactor) {
  return {
    id: credential_id ?? '',
    transports: fromJson<AuthenticatorTransport[]>(transports) ?? [],
  }
}

interface Challenge extends Asked {
  challenge: string
  purpose: PasskeyChallengesTable['purpose']
}

async function storeChallenge(
  deps: Deps,
  { challenge, purpose, browser }: Challenge,
): Promise<void> {
  await insertChallenge(deps.db, {
    hash: hashSecret(challenge),
    purpose,
    browser: hashSecret(browser),
    expires: formatInstant(deps.now() + CHALLENGE_MS),
  })
}

async function spendChallenge(
  deps: Deps,
  { challenge, purpose, browser }: Challenge,
): Promise<boolean> {
  return consumeChallenge(deps.db, {
    hash: hashSecret(challenge),
    purpose,
    browser: hashSecret(browser),
    now: formatInstant(deps.now()),
  })
}
