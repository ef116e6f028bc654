import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** An authenticator of WebAuthn in software, which can be told to break each rule. */
export interface Authenticator {
  /** Answers the options of a registration. */
  create: (options: { challenge: string }, more?: Broken) => object
  /** Answers the options of a sign-in. */
  get: (options: { challenge: string }, more?: Broken) => object
}

/** What an answer has instead of what is right. */
export interface Broken {
  origin?: string
  relyingParty?: string
  /** Whether the user was verified, by a fingerprint or a PIN. */
  verified?: boolean
  counter?: number
  /** What is signed instead. */
  signed?: string
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

/** Returns an authenticator with one passkey for a site at `origin`. */
export function newAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, challenge: string, { origin: other }: Broken) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: other ?? origin, crossOrigin: false }))
  const authenticatorData = (flags: number, more: Broken) => {
    counter += 1
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(more.counter ?? counter)
    const host = more.relyingParty ?? new URL(origin).hostname
    const verified = more.verified === false ? 0 : VERIFIED
    return Buffer.concat([
      createHash('sha256').update(host).digest(),
      Buffer.from([flags | PRESENT | verified]),
      counted,
    ])
  }
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  })

  return {
    create({ challenge }, more = {}) {
      // A COSE key of ES256 on P-256 (RFC 9053).
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authData = Buffer.concat([
        authenticatorData(ATTESTED, more),
        Buffer.alloc(16),
        length,
        id,
        isoCBOR.encode(cose),
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, more),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)),
      })
    },
    get({ challenge }, more = {}) {
      const data = authenticatorData(0, more)
      const client = clientData('webauthn.get', challenge, more)
      const signed = more.signed ?? client
      const digest = createHash('sha256').update(signed).digest()
      return answer({
        clientDataJSON: client,
        authenticatorData: data,
        signature: sign('sha256', Buffer.concat([data, digest]), privateKey),
      })
    },
  }
}
