import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These start whole processes or live long lives. One that starts last would run alone, beside an idle core. */
const SLOW = /^test\/(process|docs|model)\//;

/** Starts the slow folders first, also on a machine that has no timings of an earlier run. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(relative(this.ctx.config.root, moduleId));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
