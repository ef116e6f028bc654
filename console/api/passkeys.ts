import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { RequestError } from './request.ts'

// The library is loaded with the first passkey that is made or used.
const library = () => import('@simplewebauthn/browser')

/** Whether this browser has passkeys. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

/** Asks the browser for a new passkey. Throws a RequestError when the user or the browser refuses. */
export async function createPasskey(options: object): Promise<object> {
  const { startRegistration } = await library()
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return startRegistration({ optionsJSON }).catch(rethrow)
}

/** Asks the browser to use a passkey. Throws a RequestError when the user or the browser refuses. */
export async function usePasskey(options: object): Promise<object> {
  const { startAuthentication } = await library()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON }).catch(rethrow)
}

function rethrow(error: unknown): never {
  const isKnown = error instanceof Error && error.name === 'InvalidStateError'
  throw new RequestError('', { status: 400, type: isKnown ? 'PASSKEY_EXISTS' : 'PASSKEY_REFUSED' })
}
