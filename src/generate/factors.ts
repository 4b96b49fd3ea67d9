// old name, until the suites are moved
export type { ValidFeature } from './typical.ts';
