/** What the server says of an error, as far as there is an answer. */
interface About {
  /** HTTP status; 0 without an answer. */
  status: number
  /** Such as `INVALID_REQUEST`; the class of the error follows it. */
  type: string
  /** The code of errors that have one, such as `SVC-7002`. */
  code?: string | undefined
  /** `X-Request-Id`, by which the request is found in the server's log. */
  requestId?: string | undefined
  /** Seconds to wait before another try. */
  retryAfter?: number | undefined
  cause?: unknown
}

/** A request that failed. Its subclasses say in what way. A declined payment is not an error. */
export class CheckstandError extends Error {
  override readonly name: string = 'CheckstandError'
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  /** The member of the request that is wrong, with dots: `payment_link.options.amount`. */
  readonly member: string | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor(message: string, { status, type, code, requestId, retryAfter, cause }: About) {
    super(message, { cause })
    this.status = status
    this.type = type
    this.code = code
    this.member = /^[a-z_]+(?:\.\w+)+(?= )/.exec(message)?.[0]
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** A member, parameter or header is invalid; another try has the same result. */
export class InvalidRequest extends CheckstandError {
  override readonly name = 'InvalidRequest'
}
/** The record does not permit it now: the link is paid, nothing is left to refund. */
export class InvalidState extends CheckstandError {
  override readonly name = 'InvalidState'
}
/** A key that must be unique is taken, or names more than one record. */
export class Duplicate extends CheckstandError {
  override readonly name = 'Duplicate'
}
/** The processor or the card cannot do it. */
export class NotSupported extends CheckstandError {
  override readonly name = 'NotSupported'
}
export class NotFound extends CheckstandError {
  override readonly name = 'NotFound'
}
/** The key or token is missing, wrong, revoked or expired. */
export class Unauthorized extends CheckstandError {
  override readonly name = 'Unauthorized'
}
/** The key or token lacks the scope that the message names. */
export class Forbidden extends CheckstandError {
  override readonly name = 'Forbidden'
}
/** A user has to prove who they are again; keys and tokens never get it. */
export class StepUp extends CheckstandError {
  override readonly name = 'StepUp'
}
/** The record has another version than `ifMatch`, or other writes were in the way. */
export class Conflict extends CheckstandError {
  override readonly name = 'Conflict'
}
/** The idempotency key was used for another request. */
export class IdempotencyMismatch extends CheckstandError {
  override readonly name = 'IdempotencyMismatch'
}
export class RateLimited extends CheckstandError {
  override readonly name = 'RateLimited'
}
/** The server failed. The request may have taken effect; the same idempotency key finds out. */
export class ServerError extends CheckstandError {
  override readonly name = 'ServerError'
}
/** There was no answer. The request may have taken effect; the same idempotency key finds out. */
export class ConnectionError extends CheckstandError {
  override readonly name: string = 'ConnectionError'
}
/** There was no answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

const CLASSES: Readonly<Record<string, typeof CheckstandError>> = {
  INVALID_REQUEST: InvalidRequest,
  INVALID_STATE: InvalidState,
  DUPLICATE: Duplicate,
  NOT_SUPPORTED: NotSupported,
  STEP_UP_REQUIRED: StepUp,
  SECOND_FACTOR_REQUIRED: StepUp,
  IDEMPOTENCY: IdempotencyMismatch,
}

const BY_STATUS: Readonly<Record<number, typeof CheckstandError>> = {
  400: InvalidRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: RateLimited,
}

/** Returns the error of a response that is not 2xx. `body` is its text. */
export function errorOf(response: Response, body: string): CheckstandError {
  const { status, headers } = response
  const { type, code, message } = read(body)
  const wait = Number(headers.get('retry-after') ?? Number.NaN)
  const Class =
    CLASSES[type ?? code ?? ''] ??
    BY_STATUS[status] ??
    (status >= 500 ? ServerError : CheckstandError)
  return new Class(message ?? `The server answered with status ${status}`, {
    status,
    type: type ?? code ?? `HTTP_${status}`,
    code,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isNaN(wait) ? undefined : wait,
  })
}

interface ErrorBody {
  type?: string
  code?: string
  message?: string
}

/** Errors are nested in `error`, or flat for wording and 401. A proxy may answer with something else. */
function read(body: string): ErrorBody {
  try {
    const json = JSON.parse(body) as ErrorBody & { error?: ErrorBody }
    return typeof json.error === 'object' ? json.error : json
  } catch {
    return {}
  }
}
