/** True in `npm run test:deep`, which runs the same tests as `npm test` with more seeds and kills. */
export const isDeep = process.env['CHECKSTAND_DEEP'] === '1'

/** Returns how often something is repeated: in `npm test`, or in `npm run test:deep`. */
export const repetitions = (quick: number, deep: number): number => (isDeep ? deep : quick)
