// old name, until the suites are moved
export type { ViolationKind as FlawKind } from './mutations.ts';
