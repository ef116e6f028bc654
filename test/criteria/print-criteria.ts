import type { Condition } from '../../server/criteria/parse.ts'

/** For the tests: the text that `parseCriteria` reads back into the same conditions. */
export function printCriteria(conditions: readonly Condition[]): string {
  return conditions.map(printCondition).join(',')
}

function printCondition(condition: Condition): string {
  const { field, operator } = condition
  const values =
    'values' in condition
      ? condition.values
      : 'min' in condition
        ? [condition.min, condition.max]
        : 'value' in condition
          ? [condition.value]
          : []
  const printed = values.map((value) => value.replace(/[,;\\]/g, '\\$&'))
  return `${field}${operator}${printed.join(';')}`
}
