/** An answer with an error, in Stripe's form. */
export class ApiFailure extends Error {
  readonly status: number
  readonly error: Record<string, unknown>

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error['message']))
    this.status = status
    this.error = { type: 'invalid_request_error', ...error }
  }
}
