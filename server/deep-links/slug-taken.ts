import { ApiError } from '../errors.ts'

export function slugTaken(): ApiError {
  return new ApiError('DUPLICATE', 'deep_link.slug is taken on this server')
}
