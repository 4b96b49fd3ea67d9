import { expect, test } from 'vitest';
import { REAL_DISK } from '../../../src/run/disk.ts';
import { Journal } from '../../../src/run/journal.ts';

test('a disk that reports an error only when the journal is closed costs no verdict', () => {
  const full = Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' });
  const file = {
    append: () => undefined,
    close: () => {
      throw full;
    },
  };
  const journal = new Journal({ ...REAL_DISK, makeFolder: () => undefined, open: () => file }, 'nowhere', () => false);
  expect(() => journal.close()).not.toThrow();
  expect(journal.lost).toBe('the disk is full');
});
