import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files that take long, which the order by size would leave for the end. */
const LONG =
  /\/(exhaustive|simulation|crash\/short|failpoints|two-processes|killed-process|test-clocks\.postgres|random|serve|reads)\b[^/]*\.test\.ts$/

/** Begins each project with what takes long, so that no process waits for another at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's
    const bySize = await super.sort(files)
    const projects = Map.groupBy(bySize, ({ project }) => project.name)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...projects.values()].flatMap((own) => [
      ...own.filter(isLong),
      ...own.filter((file) => !isLong(file)),
    ])
  }
}
